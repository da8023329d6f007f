//! Generates the parsers of modules and configurations from `grammar/*.lalrpop`.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grammar = "../../grammar";
    println!("cargo:rerun-if-changed={grammar}");
    let out = std::env::var("OUT_DIR")?;
    lalrpop::Configuration::new().set_in_dir(grammar).set_out_dir(out).emit_rerun_directives(true).process()?;
    Ok(())
}
