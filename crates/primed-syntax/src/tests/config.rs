use crate::cfg::{CfgValue, Config, ConstantValue, parse_config};
use crate::span::SourceFile;

fn read(text: &str) -> (Config, Vec<u32>) {
    let (config, diagnostics) = parse_config(&SourceFile::new("test.cfg", text));
    (config, diagnostics.iter().map(|d| d.code).collect())
}

fn value(v: &CfgValue) -> String {
    match v {
        CfgValue::Int(n) => n.to_string(),
        CfgValue::String(s) => format!("\"{s}\""),
        CfgValue::Bool(b) => b.to_string(),
        CfgValue::Set(v) => format!("{{{}}}", v.iter().map(value).collect::<Vec<_>>().join(",")),
        CfgValue::Model(m) => m.name.to_string(),
    }
}

fn constants(text: &str) -> String {
    let (config, codes) = read(text);
    assert_eq!(codes, [], "{text}");
    let shown = config.constants.iter().map(|c| {
        let args = c.args.iter().map(|a| format!("({})", value(a))).collect::<String>();
        let module = c.module.as_ref().map_or(String::new(), |m| format!("[{}]", m.name));
        match &c.value {
            ConstantValue::Value(v) => format!("{}{args}={module}{}", c.target.name, value(v)),
            ConstantValue::Definition(d) => format!("{}<-{module}{}", c.target.name, d.name),
        }
    });
    shown.collect::<Vec<_>>().join(" ")
}

#[test]
fn every_keyword() {
    let (c, codes) = read(
        "\\* a comment\nINIT I NEXT N (* another *) INVARIANTS A B INVARIANT C PROPERTY P PROPERTIES Q\nCONSTRAINT c \
         ACTION_CONSTRAINTS a SYMMETRY s VIEW v ALIAS l POSTCONDITION p CHECK_DEADLOCK FALSE _PERIODIC d _RL_REWARD r \
         _POSSIBLE x y",
    );
    assert_eq!(codes, []);
    let name = |i: &Option<crate::ast::Ident>| i.as_ref().map(|i| i.name.to_string()).unwrap_or_default();
    let names = |v: &[crate::ast::Ident]| v.iter().map(|i| i.name.to_string()).collect::<Vec<_>>().join(" ");
    assert_eq!((name(&c.init), name(&c.next), name(&c.specification)), ("I".into(), "N".into(), String::new()));
    assert_eq!((names(&c.invariants), names(&c.properties)), ("A B C".into(), "P Q".into()));
    assert_eq!((names(&c.constraints), names(&c.action_constraints)), ("c".into(), "a".into()));
    assert_eq!((name(&c.symmetry), name(&c.view), name(&c.alias)), ("s".into(), "v".into(), "l".into()));
    assert_eq!((names(&c.postconditions), c.check_deadlock), ("p".into(), Some(false)));
    assert_eq!((name(&c.periodic), name(&c.rl_reward), names(&c.possible)), ("d".into(), "r".into(), "x y".into()));
}

#[test]
fn assignments() {
    assert_eq!(constants("CONSTANT N = 3 m = m S = {a, \"b\\n\", {TRUE}, {}}"), "N=3 m=m S={a,\"b\\n\",{true},{}}");
    assert_eq!(constants("CONSTANTS Op <- Other + <- [M]Plus C = [M]2"), "Op<-Other +<-[M]Plus C=[M]2");
    assert_eq!(constants("CONSTANT F(1, a) = 2 A!B <- D A ! C = 1"), "F(1)(a)=2 A!B<-D A!C=1");
    assert_eq!(constants("CONSTANT a = 1 CONSTANTS b = IF"), "a=1 b=IF");
}

#[test]
fn any_token_is_a_name() {
    let (c, codes) =
        read("INIT NEXT NEXT 3 SPECIFICATION { VIEW \"a\" INVARIANTS x >= 0 [y] TRUE ! , = PROPERTY (P) <- Q");
    assert_eq!(codes, []);
    let name = |i: &Option<crate::ast::Ident>| i.as_ref().map(|i| i.name.to_string()).unwrap_or_default();
    let names = |v: &[crate::ast::Ident]| v.iter().map(|i| i.name.to_string()).collect::<Vec<_>>().join(" ");
    assert_eq!((name(&c.init), name(&c.next), name(&c.specification)), ("NEXT".into(), "3".into(), "{".into()));
    assert_eq!((name(&c.view), names(&c.invariants)), ("\"a\"".into(), "x >= 0 [ y ] TRUE ! , =".into()));
    assert_eq!(names(&c.properties), "( P ) <- Q");
    assert_eq!(
        constants("CONSTANT N <- 3 3 <- \"a\" ( = 1 = = = C <- INVARIANT"),
        "N<-3 3<-\"a\" (=1 ===  C<-INVARIANT".replace("  ", " ")
    );
    assert_eq!(
        constants("CONSTANT C = INIT D = {NEXT, ,, [, }} E(), ]) = (, <- 1"),
        "C=INIT D={NEXT,,,[,}} E())(])=( ,<-1"
    );
    assert_eq!(
        constants("CONSTANT C = [M] [ D <- [3] TRUE E!INIT = } F ! 2 <- ]"),
        "C=[M][ D<-[3]TRUE E!INIT=} F!2<-]"
    );
    assert_eq!(read("CONSTANT C = 1.5").1, [5006], "three tokens: a point has no value");
}

#[test]
fn errors_have_the_numbers_of_tlc() {
    assert_eq!(read("INIT A INIT B").1, [5004]);
    assert_eq!(read("CHECK_DEADLOCK TRUE CHECK_DEADLOCK TRUE").1, [5004]);
    assert_eq!(read("INIT").1, [5003]);
    assert_eq!(read("CONSTANT a <-").1, [5005]);
    assert_eq!(read("CONSTANT a b").1, [5006]);
    assert_eq!(read("CONSTANT a = -1").1, [5006]);
    assert_eq!(read("INIT A zork").1, [5006]);
    assert_eq!(read("CONSTANT a = {1, 2").1, [5006]);
    assert_eq!(read("CHECK_DEADLOCK maybe").1, [5006]);
    assert_eq!(read("CHECK_DEADLOCK").1, [5003]);
    assert_eq!(read("INIT A INVARIANT B VIEW").1, [5003]);
    ["a <- [", "a = [", "a <- [M]"]
        .iter()
        .for_each(|text| assert_eq!(read(&format!("CONSTANT {text}")).1, [5005], "{text}"));
    ["a", "a !", "a ! b", "a =", "a = [M]", "a = {", "a = {1,", "a <- [M", "a(1) 2", "a(1,"]
        .iter()
        .for_each(|text| assert_eq!(read(&format!("CONSTANT {text}")).1, [5006], "{text}"));
    assert_eq!(read("CONSTANT a(1 2").1, [5002]);
}

#[test]
fn a_rejected_character_ends_the_file() {
    let (config, codes) = read("INIT A\n; NEXT B");
    assert_eq!(codes, []);
    assert!(config.init.is_some() && config.next.is_none());
}
