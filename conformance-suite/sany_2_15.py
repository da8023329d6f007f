"""The real SANY of TLC 2.15: how it is asked about many modules at once, and how its answers are read.

SANY 2.15 prints no codes. CODES gives, for each text that it has, the code that newer versions give to the same error.
"""

import os
import re

import tlc_2_15 as tlc

# The first text that matches decides. Codes are those of tla2sany.semantic.ErrorCode.
CODES = [(re.compile(text), code) for text, code in [
    (r"Unknown operator: ", 4200),
    (r"DEF clause entry should describe a defined operator", 4200),
    (r"Operator .* already defined or declared", 4201),
    (r"Function name .* already defined or declared", 4201),
    (r"Multiply-defined symbol .* with the one at In module --TLA\+ BUILTINS--", 4202),
    (r"Multiply-defined symbol ", 4201),
    (r"Symbol .* is a built-in operator, and cannot be redefined", 4202),
    (r"Operator name .* is incomplete", 4203),
    (r"The operator .* requires \d+ arguments", 4204),
    (r"Level error: assumptions must be level 0", 4206),
    (r"Cannot find source file for module ", 4220),
    (r"File name '.*' does not match the name ", 4221),
    (r"Circular dependency among \.tla files", 4222),
    (r"Multiply-defined module ", 4223),
    (r"Warning: the .* conflicts with its ", 4800),
    (r"The .* of '.*' conflicts with its ", 4224),
    (r"Substitution missing for symbol ", 4240),
    (r"Multiple substitutions for symbol ", 4241),
    (r"Identifier '.*' is not a legal target of a substitution", 4242),
    (r"An operator must be substituted for symbol ", 4243),
    (r"Error in instantiating module '.*': A non-Leibniz operator substituted", 4244),
    (r"Level error in instantiating module '.*': The level of the expression or operator substituted", 4245),
    (r"Level error in instantiating module '.*': The level of the argument \d+ of the operator ", 4246),
    (r"Level error when instantiating module ", 4247),
    (r"Function '.*' is defined with \d+ parameters, but is applied to ", 4260),
    (r"@ used where its meaning is not defined", 4261),
    (r"Attempted to declare '@' as ", 4261),
    (r"Non-unique fields in constructor", 4262),
    (r"An expression appears as argument number \d+ .* in a position an operator is required", 4270),
    (r"Expected arity \d+ but found operator of arity ", 4271),
    (r"Argument number \d+ to operator '.*' should be a \d+-parameter operator", 4271),
    (r"Level error in applying operator .*: The permitted level of argument ", 4272),
    (r"Level error in applying operator .*: The level of the range for the bounded variable ", 4315),
    (r"Level error in applying operator .*: The level of argument ", 4205),  # or 4273: the same words
    (r"Lambda expression with arity ", 4274),
    (r"LAMBDA expression used where an expression is required", 4275),
    (r"Argument \d+ of recursive operator .* is primed", 4290),
    (r"Symbol .* declared in RECURSIVE statement but not defined", 4291),
    (r"Definition of .* has different arity than its RECURSIVE declaration", 4292),
    (r"Function .* has operator arguments in its RECURSIVE declaration", 4292),
    (r"Recursive (operator|function) .* defined at wrong LET/IN level", 4293),
    (r".* may not appear within a recursive definition section", 4294),
    (r"\[\] followed by action not of form", 4310),
    (r"<> followed by action not of form", 4311),
    (r"Action used where only temporal formula or state predicate allowed", 4312),
    (r".* has both temporal formula and action as arguments", 4313),
    (r"Action-level bound of quantified temporal formula", 4314),
    (r"Repeated formal parameter .* in label ", 4330),
    (r"Label .* must contain formal parameter ", 4331),
    (r"Illegal parameter .* of label ", 4332),
    (r"Label .* declares extra parameter", 4332),
    (r"Label not in definition or proof step", 4333),
    (r"Label not allowed within scope of declaration in nested ASSUME/PROVE", 4334),
    (r"Labels inside EXCEPT clauses are not yet implemented", 4335),
    (r"Duplicate label ", 4336),
    (r"Label .* used with wrong number of arguments", 4337),
    (r"<\*> and <\+> cannot be used for a named step", 4350),
    (r".* proof step selected instead of expression", 4351),
    (r"Non-constant TAKE, WITNESS, or HAVE for temporal goal", 4352),
    (r"Non-constant CASE for temporal goal", 4353),
    (r"Non-constant bound of temporal PICK", 4354),
    (r"ASSUME/PROVE used where an expression is required", 4355),
    (r"Level error: Temporal formula used as set", 4356),
    (r"The only expression allowed as a fact in a HIDE", 4357),
    (r"Multiple declarations or definitions for symbol ", 4801),
    # Language features that SANY calls unsupported: subexpression names, and []ASSUME.
    (r"Selector .* should not have argument\(s\)", 4005),
    (r"Need name or step number here", 4005),
    (r"Module name \(.*\) not allowed here", 4005),
    (r"Cannot take subexpression of ", 4005),
    (r"Subexpression of .* used inside the operator's definition", 4005),
    (r"Accessing (subexpression labeled|ASSUME/PROVE clause|non-existent subexpression) ", 4005),
    (r"`!:' can be used only after a name", 4005),
    (r"Subexpression selection failed", 4005),
    (r"A LET/IN expression has only one operand", 4005),
    (r"Subexpression of CASE must have form", 4005),
    (r"Second selector for CASE subexpression ", 4005),
    (r"Selecting OTHER in a CASE", 4005),
    (r"Selecting subexpression of ", 4005),
    (r"Selector with ", 4005),
    (r"Choosing operand .* of subexpression with no operands", 4005),
    (r"Selected a subexpression of a NEW clause", 4005),
    (r"Trying to select subexpression of an operator argument", 4005),
    (r"Cannot use !.* to select subexpression of a LAMBDA", 4005),
    (r"A name selector here must be from a LET clause", 4005),
    (r"!: should not follow an operand selector", 4005),
    (r"Selected (ASSUME/PROVE instead of|a NEW declaration as an|operator argument when) expression", 4005),
    (r"Expected operator of arity \d+ but selected operator has arity", 4005),
    (r"Nonexistent operand specified by ", 4005),
    (r"\[\]ASSUME matched by PROVE|ASSUME matched by \[\]PROVE|\[\]ASSUME used within the scope of ", 4005),
    (r"Module `.*' used without being extended or instantiated", 4005),
    # Checks that SANY suspects nothing to reach.
    (r"Couldn't resolve (infix|prefix|postfix) operator symbol ", 4004),
    (r"Could not find declaration or definition of symbol ", 4004),
    (r"Cannot find label ", 4004),
    (r"DEF clause entry refers to a non-definition step", 4004),
    (r"Step number of non-(fact used as a fact|expression step used as an expression)", 4004),
    (r"Module instantiation selected instead of expression", 4004),
    (r"Expected operator argument with arity |Expected \d+ arguments but found ", 4004),
    (r"Unknown parameter declaration ", 4004),
    (r"Labeled ASSUME/PROVE used where an expression is required", 4004),
    (r"Module name '.*' used as operator", 4004),
    (r"Too many arguments for operator ", 4004),
    (r"Expression used in argument position ", 4004),
    (r"Operator with incorrect arity passed as argument", 4004),
    (r"Arity \d+ operator \(not an expression\) is expected ", 4004),
    (r"Operator used with the wrong number of arguments", 4004),
    (r"Module instance identifier where operator should be", 4004),
    (r"Illegal expression used as argument ", 4004),
    (r"Wrong number of arguments ", 4004),
    (r"Non-expression used as argument number ", 4004),
    (r"Operator used in argument number ", 4004),
    # What only follows from an error said before.
    (r"Unexpected token found", 4003),
    (r"Internal error: |Unsupported expression type ", 4003),
    (r"Unable to generate expression or operator argument", 4003),
    (r"Substitution error, probably due to error in module being instantiated", 4003),
    (r"An unexpected null node specified by ", 4003),
    (r"Was expecting a GeneralId", 4003),
    (r"Could not find module |Couldn't find context for module |Module .* does not have a context", 4003),
    (r"LETs nested more than ", 4003),
    (r"Empty (BY|USE)", 4003),
]]

WARNINGS = (4800, 4801)

PLACE = re.compile(r"^(?:line (\d+), col (\d+) to line \d+, col \d+ of module (\S+)"
                   r"|(Unknown location|In module \S+|--TLA\+ BUILTINS--.*))$", re.M)
BANNER = re.compile(r"^\*{6} SANY2 Version .*$", re.M)


def code_of(text):
    text = " ".join(text.split())
    for pattern, code in CODES:
        if pattern.match(text):
            return code
    raise tlc.Trouble(f"SANY says what the table of codes does not have: {text}")


def messages(output, root):
    """The errors and warnings of an answer, as (code, line, column, module), ordered by place. The root module is None."""
    found, seen = [], set()
    for block in re.split(r"^\*\*\* (?:Errors|Warnings|Abort messages): \d+$", output, flags=re.M)[1:]:
        places = list(PLACE.finditer(block))
        for place, after in zip(places, [*(p.start() for p in places[1:]), None]):
            text = re.split(r"\n\n\n+", block[place.end():after].strip())[0].strip()
            if re.match(r"Could not parse module ", " ".join(text.split())):
                continue
            if (place.group(), text) in seen:
                continue
            seen.add((place.group(), text))
            line, column, module = int(place.group(1) or 0), int(place.group(2) or 0), place.group(3)
            found.append((code_of(text), line, column, None if module == root else module))
    return sorted(found, key=lambda m: (m[3] or "", m[1], m[2], m[0]))


def written(message):
    code, line, column, module = message
    return str(code) + (f"@{line}:{column}" if line else "") + (f":{module}" if module else "")


def answer(output, root):
    """The verdict (ok, syntax, semantic, or crash where SANY itself fails) and the list of what was said, such as 4200@2:6."""
    said = [written(m) for m in messages(output, root)]
    if re.search(r"^Semantic errors:$", output, flags=re.M) and any(int(m[:4]) not in WARNINGS for m in said):
        return "semantic", said
    if re.search(r"^(\*\*\*Parse Error\*\*\*|Fatal errors while parsing|Lexical error|\*\*\* Abort messages)", output, flags=re.M):
        return "syntax", said
    if "Semantic processing of module " + root not in output or "xception" in output:
        return "crash", []
    return "ok", said


def ask(folder, roots):
    """SANY's answers about the modules of those names in the folder. One process takes many, but ends at the first
    that has no syntax tree; the rest gets another one."""
    answers = {}
    todo = list(roots)
    while todo:
        _, output = tlc.launch(folder, ["tla2sany.SANY", *(name + ".tla" for name in todo)], what="SANY")
        parts = BANNER.split(output)[1:]
        if not parts:
            raise tlc.Trouble(f"SANY gave no answer:\n{output[-2000:]}")
        for name, part in zip(todo, parts):
            if os.environ.get("PRIMED_SANY_OUTPUT"):
                print(f"==== {name}{part}")
            answers[name] = answer(part, name)
        todo = todo[len(parts):]
    return answers
