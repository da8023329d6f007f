//! The successors of `conformance-suite/bench/filter-lock`, made into machine code by Cranelift while the program runs: what making
//! it costs, and how fast the code is in the same search as the hand-written one of `benches/examples/native`.
//!
//!     cargo run --release --manifest-path benches/cranelift/Cargo.toml

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, BlockArg, InstBuilder, MemFlagsData, Value, types};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module};

#[path = "../../examples/native/search.rs"]
mod search;

/// Three bits each: variable, then process.
const BITS: i64 = 3;
const PC: usize = 0;
const LEVEL: usize = 1;
const LAST: usize = 2;
const STEP: usize = 3;
const OTHER: usize = 4;
const IDLE: i64 = 0;
const UP: i64 = 1;
const MARK: i64 = 2;
const SCAN: i64 = 3;
const CS: i64 = 4;
const LEAVE: i64 = 5;

/// Writes code for rows of `n` processes.
struct Rows<'a, 'b> {
    to: &'a mut FunctionBuilder<'b>,
    n: usize,
}

impl Rows<'_, '_> {
    fn place(&self, variable: usize, process: usize) -> i64 {
        (variable * self.n + process) as i64 * BITS
    }

    fn get(&mut self, row: Value, place: i64) -> Value {
        let low = self.to.ins().ushr_imm_s(row, place);
        self.to.ins().band_imm_s(low, 7)
    }

    /// Where the entry of `variable` stands whose index, from 1, is `at`.
    fn computed(&mut self, variable: usize, at: Value) -> Value {
        let offset = self.to.ins().imul_imm_s(at, BITS);
        let first = self.place(variable, 0) - BITS;
        self.to.ins().iadd_imm_s(offset, first)
    }

    fn get_at(&mut self, row: Value, place: Value) -> Value {
        let low = self.to.ins().ushr(row, place);
        self.to.ins().band_imm_s(low, 7)
    }

    fn set_value(&mut self, row: Value, place: i64, value: Value) -> Value {
        let rest = self.to.ins().band_imm_s(row, !(7 << place));
        let moved = self.to.ins().ishl_imm_s(value, place);
        self.to.ins().bor(rest, moved)
    }

    fn set(&mut self, row: Value, place: i64, value: i64) -> Value {
        let rest = self.to.ins().band_imm_s(row, !(7 << place));
        self.to.ins().bor_imm_s(rest, value << place)
    }

    fn set_at(&mut self, row: Value, place: Value, value: i64) -> Value {
        let (mask, value) = (self.to.ins().iconst(types::I64, 7), self.to.ins().iconst(types::I64, value));
        let mask = self.to.ins().ishl(mask, place);
        let rest = self.to.ins().band_not(row, mask);
        let moved = self.to.ins().ishl(value, place);
        self.to.ins().bor(rest, moved)
    }

    /// A choice between two ways to go on, each of which gives a row.
    fn choose(
        &mut self,
        condition: Value,
        then: impl FnOnce(&mut Self) -> Value,
        otherwise: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        let (yes, no, after) = (self.to.create_block(), self.to.create_block(), self.to.create_block());
        let found = self.to.append_block_param(after, types::I64);
        self.to.ins().brif(condition, yes, &[], no, &[]);
        self.to.switch_to_block(yes);
        let row = then(self);
        self.to.ins().jump(after, &[BlockArg::Value(row)]);
        self.to.switch_to_block(no);
        let row = otherwise(self);
        self.to.ins().jump(after, &[BlockArg::Value(row)]);
        self.to.switch_to_block(after);
        found
    }

    fn is(&mut self, value: Value, wanted: i64) -> Value {
        self.to.ins().icmp_imm_s(IntCC::Equal, value, wanted)
    }

    /// The successor by process `p`, from 0; in each state there is one.
    fn step(&mut self, row: Value, p: usize) -> Value {
        let (pc, own) = (self.place(PC, p), p as i64 + 1);
        let label = self.get(row, pc);
        let idle = self.is(label, IDLE);
        self.choose(
            idle,
            |rows| {
                let row = rows.set(row, rows.place(STEP, p), 1);
                rows.set(row, pc, UP)
            },
            |rows| {
                let up = rows.is(label, UP);
                rows.choose(
                    up,
                    |rows| {
                        let step = rows.get(row, rows.place(STEP, p));
                        let below = rows.to.ins().icmp_imm_s(IntCC::UnsignedLessThan, step, rows.n as i64);
                        rows.choose(
                            below,
                            |rows| {
                                let row = rows.set_value(row, rows.place(LEVEL, p), step);
                                rows.set(row, pc, MARK)
                            },
                            |rows| rows.set(row, pc, CS),
                        )
                    },
                    |rows| {
                        let mark = rows.is(label, MARK);
                        rows.choose(
                            mark,
                            |rows| {
                                let step = rows.get(row, rows.place(STEP, p));
                                let last = rows.computed(LAST, step);
                                let row = rows.set_at(row, last, own);
                                let row = rows.set(row, rows.place(OTHER, p), 1);
                                rows.set(row, pc, SCAN)
                            },
                            |rows| rows.late(row, p, label),
                        )
                    },
                )
            },
        )
    }

    fn late(&mut self, row: Value, p: usize, label: Value) -> Value {
        let pc = self.place(PC, p);
        let scan = self.is(label, SCAN);
        self.choose(
            scan,
            |rows| rows.scan(row, p),
            |rows| {
                let cs = rows.is(label, CS);
                rows.choose(
                    cs,
                    |rows| rows.set(row, pc, LEAVE),
                    |rows| {
                        let row = rows.set(row, rows.place(LEVEL, p), 0);
                        rows.set(row, pc, IDLE)
                    },
                )
            },
        )
    }

    fn scan(&mut self, row: Value, p: usize) -> Value {
        let (step_at, other_at, own) = (self.place(STEP, p), self.place(OTHER, p), p as i64 + 1);
        let (step, other) = (self.get(row, step_at), self.get(row, other_at));
        let last = self.computed(LAST, step);
        let last = self.get_at(row, last);
        let held = self.is(last, own);
        let more = self.to.ins().icmp_imm_s(IntCC::UnsignedLessThanOrEqual, other, self.n as i64);
        let on = self.to.ins().band(held, more);
        self.choose(
            on,
            |rows| {
                let level = rows.computed(LEVEL, other);
                let level = rows.get_at(row, level);
                let foreign = rows.to.ins().icmp_imm_s(IntCC::NotEqual, other, own);
                let high = rows.to.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, level, step);
                let waits = rows.to.ins().band(foreign, high);
                rows.choose(
                    waits,
                    |_| row,
                    |rows| {
                        let next = rows.to.ins().iadd_imm_s(other, 1);
                        rows.set_value(row, other_at, next)
                    },
                )
            },
            |rows| {
                let next = rows.to.ins().iadd_imm_s(step, 1);
                let row = rows.set_value(row, step_at, next);
                rows.set(row, rows.place(PC, p), UP)
            },
        )
    }

    /// The invariants: 1 or 0.
    fn holds(&mut self, row: Value) -> Value {
        let n = self.n as i64;
        let (mut good, mut inside) = (self.to.ins().iconst(types::I8, 1), self.to.ins().iconst(types::I8, 0));
        for p in 0..self.n {
            for (variable, least, most) in [(PC, 0, 5), (LEVEL, 0, n), (LAST, 0, n), (STEP, 1, n), (OTHER, 1, n + 1)] {
                let value = self.get(row, self.place(variable, p));
                let low = self.to.ins().icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, value, least);
                let high = self.to.ins().icmp_imm_s(IntCC::UnsignedLessThanOrEqual, value, most);
                good = self.to.ins().band(good, low);
                good = self.to.ins().band(good, high);
            }
            let label = self.get(row, self.place(PC, p));
            let cs = self.is(label, CS);
            inside = self.to.ins().iadd(inside, cs);
        }
        let apart = self.to.ins().icmp_imm_s(IntCC::UnsignedLessThanOrEqual, inside, 1);
        self.to.ins().band(good, apart)
    }
}

/// Declares and compiles a function of some words that gives one; how many instructions were written for it.
fn compile(
    module: &mut JITModule,
    name: &str,
    parameters: usize,
    result: types::Type,
    n: usize,
    body: impl FnOnce(&mut Rows, &[Value]) -> Option<Value>,
) -> (FuncId, usize) {
    let mut context = module.make_context();
    context.func.signature.params.extend(vec![AbiParam::new(types::I64); parameters]);
    context.func.signature.returns.push(AbiParam::new(result));
    let id = module.declare_function(name, Linkage::Local, &context.func.signature).expect("a new name");
    let mut room = FunctionBuilderContext::new();
    let mut to = FunctionBuilder::new(&mut context.func, &mut room);
    let entry = to.create_block();
    to.append_block_params_for_function_params(entry);
    to.switch_to_block(entry);
    let given = to.block_params(entry).to_vec();
    let answer = body(&mut Rows { to: &mut to, n }, &given);
    let answer = answer.unwrap_or_else(|| to.ins().iconst(result, n as i64));
    to.ins().return_(&[answer]);
    to.seal_all_blocks();
    to.finalize(module.isa().frontend_config());
    let instructions = context.func.dfg.num_insts();
    module.define_function(id, &mut context).expect("the code that is written is legal");
    (id, instructions)
}

struct Compiled {
    next: extern "C" fn(u64, *mut u64) -> i64,
    holds: extern "C" fn(u64) -> u8,
    n: usize,
    _code: JITModule,
}

impl Compiled {
    fn new(n: usize, level: &str) -> (Compiled, usize) {
        let mut flags = settings::builder();
        flags.set("opt_level", level).expect("a level of Cranelift's");
        let machine = cranelift_native::builder().expect("a machine that Cranelift knows");
        let isa = machine.finish(settings::Flags::new(flags)).expect("its settings");
        let mut module = JITModule::new(JITBuilder::with_isa(isa, cranelift_module::default_libcall_names()));
        let (next, first) = compile(&mut module, "next", 2, types::I64, n, |rows, given| {
            for p in 0..n {
                let found = rows.step(given[0], p);
                rows.to.ins().store(MemFlagsData::trusted(), found, given[1], p as i32 * 8);
            }
            None
        });
        let (holds, second) = compile(&mut module, "holds", 1, types::I8, n, |rows, given| Some(rows.holds(given[0])));
        module.finalize_definitions().expect("memory for code");
        let (next, holds) = (module.get_finalized_function(next), module.get_finalized_function(holds));
        // SAFETY: both were compiled above with these signatures, and the module that owns them is kept.
        let (next, holds) = unsafe {
            (
                std::mem::transmute::<*const u8, extern "C" fn(u64, *mut u64) -> i64>(next),
                std::mem::transmute::<*const u8, extern "C" fn(u64) -> u8>(holds),
            )
        };
        (Compiled { next, holds, n, _code: module }, first + second)
    }
}

impl search::Packed for Compiled {
    type Row = u64;

    fn initial(&self, emit: &mut dyn FnMut(u64)) {
        let ones =
            [STEP, OTHER].iter().flat_map(|v| (0..self.n).map(move |p| 1u64 << ((v * self.n + p) as i64 * BITS)));
        emit(ones.sum());
    }

    fn next(&self, row: u64, emit: &mut impl FnMut(u64)) {
        let mut found = [0u64; 8];
        let count = (self.next)(row, found.as_mut_ptr());
        found.iter().take(count as usize).for_each(|row| emit(*row));
    }

    fn holds(&self, row: u64) -> bool {
        (self.holds)(row) != 0
    }
}

/// CPU seconds of this thread.
fn cpu() -> f64 {
    let said = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    said.split(' ').next().and_then(|ns| ns.parse::<f64>().ok()).expect("nanoseconds") / 1e9
}

/// So often code is made, because the clock is coarse.
const TIMES: u32 = 200;

fn main() {
    for level in ["none", "speed"] {
        let (compiled, instructions) = Compiled::new(4, level);
        let begin = cpu();
        for _ in 0..TIMES {
            std::hint::black_box(Compiled::new(4, level));
        }
        let making = (cpu() - begin) / f64::from(TIMES);
        let begin = cpu();
        let counts = search::search(&compiled);
        let searching = cpu() - begin;
        println!(
            "opt_level {level}: {instructions} instructions of Cranelift's in {:.2} ms, {:.2} us each; {} generated, {} distinct, \
             depth {}, violated {:?} in {searching:.3} s of CPU",
            making * 1e3,
            making * 1e6 / instructions as f64,
            counts.generated,
            counts.distinct,
            counts.depth,
            counts.violated
        );
    }
}
