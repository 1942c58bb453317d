#!/usr/bin/env python3
"""Holds the machine code of the loops that threads share against their rows and their names.

usage: check_orders.py OBJDUMP TABLE PROGRAM

These loops are compiled C, so the number of instructions is the compiler's. What a step does
is not: one atomic addition is one locked instruction on x86_64, and on aarch64 one exclusive
pair with a branch back, one single instruction (ldadd, cas, swp), or a call of the compiler's
helper that holds both and branches on what the core has. Of each loop are counted, per step:

  atomics, fences      read-modify-writes; fences that cost an instruction
  acquires, releases   on aarch64, where they are instructions
  retries              conditional branches that decide on another attempt
  loads, stores, bytes as in the table, of plain and atomic accesses together
  calls                functions called by name

A loop that a compiler unrolled has them as many times as it takes steps an iteration. Each
claim is then falsified, and the code of every other loop is held against it: what fits nobody
else proves something.
"""
import re
import sys

from check_loops import CONDITIONAL, accesses_of, branch_target, disassemble, loops_of, read_table

# Per step. `order`: of the atomic operation on aarch64. None: whatever.
WORD = [
    # name             atomics kind   fences order      acquires releases
    ("count_plain",    0,      None,  0,     None,      0,       0),
    ("count_relaxed",  1,      "add", 0,     "relaxed", 0,       0),
    ("count_ordered",  1,      "add", 0,     "both",    0,       0),
    ("count_swap",     1,      "cas", 0,     "both",    0,       0),
    ("load_acquire",   0,      None,  0,     None,      1,       0),
    ("store_release",  0,      None,  0,     None,      0,       1),
    ("store_ordered",  0,      None,  0,     None,      0,       1),
    ("load_fence",     0,      None,  0,     None,      0,       0),
    ("fence_store",    0,      None,  0,     None,      0,       0),
    ("store_fence",    0,      None,  1,     None,      0,       0),
]
# On x86_64 a sequentially consistent store is an exchange or has a fence; on aarch64 fences of
# one direction are instructions.
X86 = {"store_ordered": {"atomics": 1, "kind": "swap", "loads": 1, "read": 8}}
ARM = {"load_fence": {"fences": 1}, "fence_store": {"fences": 1}}
# Whole functions: what must be there, at least, and what must not.
WHOLE = {
    "ping_pong": {"atomics": (0, 0), "acquires": 2, "releases": 2, "loads": 2, "stores": 2,
                  "calls": {"sonde_arch_relax", "sched_yield"}},
    "futex_handoff": {"calls": {"syscall", "sched_yield"}},
    "lock_mutex": {"atomics": (0, 0), "calls": {"pthread_mutex_lock", "pthread_mutex_unlock"}},
    "lock_spin": {"atomics": (1, 2), "releases": 1, "retries": 1,
                  "calls": {"sonde_arch_relax", "sched_yield"}},
    "lock_read": {"atomics": (3, 6), "retries": 2, "calls": {"sonde_arch_relax", "sched_yield"}},
    "lock_write": {"atomics": (1, 2), "releases": 1, "retries": 1,
                   "calls": {"sonde_arch_relax", "sched_yield"}},
}
# Functions of the same file that a compiler may or may not put into their callers.
LOCAL = r"<(wait_a_little|await|take|hand_over|sleep_until|wake)(\.\w+)*>"
SUFFIX = {"b": 1, "w": 2, "l": 4, "q": 8}
HELPER = r"__aarch64_(ldadd|cas|swp|ldset|ldclr|ldeor)(\d)_(relax|acq_rel|acq|rel)"
KINDS = {"ldadd": "add", "cas": "cas", "swp": "swap", "xadd": "add", "add": "add", "inc": "add",
         "sub": "add", "dec": "add", "cmpxchg": "cas", "xchg": "swap"}
ORDERS = {"relax": "relaxed", "acq": "acquire", "rel": "release", "acq_rel": "both"}
SINGLE = r"(ldadd|cas|swp|ldset|ldclr|ldeor)(al|a|l)?$"
SINGLE_ORDERS = {None: "relaxed", "a": "acquire", "l": "release", "al": "both"}


class Counts:
    """What a stretch of machine code does."""

    def __init__(self):
        self.atomics = self.fences = self.acquires = self.releases = 0
        self.loads = self.stores = self.read = self.written = 0
        self.orders, self.kinds, self.calls = [], [], set()

    def access(self, loads, stores, read, written):
        self.loads += loads
        self.stores += stores
        self.read += read
        self.written += written


def width_of(mnemonic, operands):
    registers = re.search(r"%(r\w\w|r\d+)\b|%(e\w\w|r\d+d)\b", operands.split("(")[0])
    if mnemonic[-1] in SUFFIX and not registers:
        return SUFFIX[mnemonic[-1]]
    return 4 if registers and registers.group(2) else 8


def count_x86(instruction, counts):
    _, mnemonic, operands = instruction
    locked = mnemonic == "lock"
    if locked:
        mnemonic, _, operands = operands.partition(" ")
        operands = operands.strip()
    if mnemonic == "mfence" or (locked and "(%rsp)" in operands):
        counts.fences += 1
    elif locked or (mnemonic.startswith("xchg") and "(" in operands):
        counts.atomics += 1
        counts.kinds.append(KINDS.get(re.sub("[bwlq]$", "", mnemonic), mnemonic))
        counts.access(1, 1, *2 * [width_of(mnemonic, operands)])
    elif mnemonic.startswith("call"):
        counts.calls.add(re.sub(r".*<|[@>].*", "", operands))
    elif "(%rsp)" not in operands:
        loads, stores, read, written = accesses_of(instruction)
        size = width_of(mnemonic, operands)
        counts.access(loads, stores, read or loads * size, written or stores * size)


def count_arm(instruction, counts):
    _, mnemonic, operands = instruction
    helper = re.search(HELPER, operands) if mnemonic in ("bl", "b") else None
    single = re.match(SINGLE, mnemonic)
    size = 8 if re.search(r"\bx\d+(?=.*\[)", operands.split("[")[0] + "[") else 4
    if helper or single:
        counts.atomics += 1
        counts.kinds.append(KINDS.get((helper or single).group(1)))
        counts.orders.append(ORDERS[helper.group(3)] if helper else SINGLE_ORDERS[single.group(2)])
        counts.access(1, 1, *2 * [int(helper.group(2)) if helper else size])
    elif mnemonic in ("ldxr", "ldaxr"):
        counts.access(1, 0, size, 0)
        counts.orders.append("acquire" if mnemonic == "ldaxr" else "relaxed")
    elif mnemonic in ("stxr", "stlxr"):
        counts.atomics += 1
        counts.access(0, 1, 0, 8 if re.search(r",\s*x\d+,", operands) else 4)
        first = counts.orders.pop() if counts.orders else "relaxed"
        counts.orders.append({("acquire", "stlxr"): "both", ("relaxed", "stlxr"): "release",
                              ("acquire", "stxr"): "acquire"}.get((first, mnemonic), "relaxed"))
    elif mnemonic == "dmb":
        counts.fences += 1
    elif mnemonic == "bl":
        counts.calls.add(re.sub(r".*<|[@>].*", "", operands))
    elif mnemonic.startswith(("ldar", "ldapr")):
        counts.acquires += 1
        counts.access(1, 0, size, 0)
    elif mnemonic.startswith("stlr"):
        counts.releases += 1
        counts.access(0, 1, 0, size)
    elif "[sp" not in operands:
        counts.access(*accesses_of(instruction))


def counts_of(code, arm):
    counts = Counts()
    for instruction in code:
        (count_arm if arm else count_x86)(instruction, counts)
    return counts


def is_attempt(instruction):
    return instruction[1] in ("lock", "stxr", "stlxr") or instruction[1].startswith("xchg") or \
        re.match(SINGLE, instruction[1]) or re.search(HELPER, instruction[2])


def retries_of(function):
    """Conditional branches that follow an attempt and decide on another one."""
    found = 0
    for index, instruction in enumerate(function):
        if not is_attempt(instruction):
            continue
        for following in function[index + 1:index + 8]:
            if re.match(CONDITIONAL, following[1]) and branch_target(following) is not None:
                found += 1
                break
            if is_attempt(following):
                break
    return found


def outermost(function):
    """The loops that lie in no other one, as stretches of code."""
    ranges = []
    for loop in loops_of(function):
        start, end = loop[0][0], loop[-1][0]
        ranges.append((start, end))
    ranges.sort()
    merged = []
    for start, end in ranges:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return [[one for one in function if start <= one[0] <= end] for start, end in merged]


def steps_of(loop):
    """By how much a register is moved on in each iteration: candidates for its steps."""
    steps = set()
    for _, mnemonic, operands in loop:
        if re.match(r"(inc|dec)", mnemonic):
            steps.add(1)
        elif re.match(r"(add|sub|lea)", mnemonic):
            for number in re.findall(r"[$#](-?0x[0-9a-f]+|-?\d+)|(-?0x[0-9a-f]+)\(", operands):
                value = int(number[0] or number[1], 0)
                steps.add(min(abs(value), abs(value - (1 << 64)), abs(value - (1 << 32))))
    return steps


def claims_of(row, arm):
    for name, atomics, kind, fences, order, acquires, releases in WORD:
        if name == row["name"]:
            claim = {"atomics": atomics, "fences": fences, "order": order if arm else None,
                     "acquires": acquires if arm else 0, "releases": releases if arm else 0,
                     "kind": kind}
            claim.update({what: row[what] for what in ("loads", "stores", "read", "written")})
            claim.update((ARM if arm else X86).get(name, {}))
            return claim
    return None


def complaints_of_loop(claim, loop, arm):
    counts = counts_of(loop, arm)
    times = 0
    for what in ("loads", "stores"):
        if claim[what]:
            times = getattr(counts, what) // claim[what]
    if times < 1 or (times not in steps_of(loop) and times > 1):
        return ["does a step %d times an iteration and moves on by %s" % (times, steps_of(loop))]
    found = ["has %s %d where %d belong" % (what, getattr(counts, what), times * claim[what])
             for what in ("atomics", "fences", "acquires", "releases", "loads", "stores", "read",
                          "written") if getattr(counts, what) != times * claim[what]]
    if claim["order"] and set(counts.orders) != {claim["order"]}:
        found.append("has an atomic operation of order %s, not %s" % (counts.orders, claim["order"]))
    # What an exclusive pair does lies between its halves; its branch back is the proof.
    if claim["kind"] and set(counts.kinds) not in ({claim["kind"]}, set() if arm else None):
        found.append("has atomic operations of kind %s, not %s" % (counts.kinds, claim["kind"]))
    if claim["kind"] == "cas" and retries_of(loop) < times:
        found.append("does not try again")
    return found


def complaints_of_word(claim, function, arm):
    loops = outermost(function)
    if not function or not loops:
        return ["has no loop in the program"]
    found = []
    for loop in loops:
        found += complaints_of_loop(claim, loop, arm)
    return found


def complaints_of_whole(claim, function, arm):
    counts = counts_of(function, arm)
    found = []
    if not function or not loops_of(function):
        return ["has no loop in the program"]
    least, most = claim.get("atomics", (0, 99))
    if not least <= counts.atomics <= most:
        found.append("has %d atomic operations, not %d to %d" % (counts.atomics, least, most))
    for what in ("acquires", "releases", "loads", "stores"):
        if (arm or what in ("loads", "stores")) and getattr(counts, what) < claim.get(what, 0):
            found.append("has %s %d, not %d" % (what, getattr(counts, what), claim[what]))
    if retries_of(function) < claim.get("retries", 0):
        found.append("has %d branches that try again" % retries_of(function))
    missing = claim["calls"] - counts.calls
    if missing:
        found.append("does not call " + ", ".join(sorted(missing)))
    return found


def check_helpers(objdump, program, functions):
    """A helper chooses between a single instruction and an exclusive pair."""
    names = {match.group(0) for function in functions for _, _, operands in function
             for match in [re.search(HELPER, operands)] if match}
    found = []
    for name in sorted(names):
        code = disassemble(objdump, program, name)
        mnemonics = [instruction[1] for instruction in code]
        single = any(re.match(SINGLE, mnemonic) for mnemonic in mnemonics)
        pair = any(m in ("ldxr", "ldaxr") for m in mnemonics) and \
            any(m in ("stxr", "stlxr") for m in mnemonics)
        if not single or not pair or not any(re.match(CONDITIONAL, m) for m in mnemonics):
            found.append("%s: has no choice of a single instruction and a pair" % name)
    return found


def falsify(claim, function, arm):
    found = []
    for what in ("atomics", "fences", "loads", "stores", "read", "written"):
        if not complaints_of_word(dict(claim, **{what: claim[what] + 1}), function, arm):
            found.append("could have a wrong count of %s unnoticed" % what)
    return found


def check_words(rows, functions, arm):
    claims = {name: claims_of(rows[name], arm) for name, *_ in WORD}
    failures = []
    for name, claim in claims.items():
        found = complaints_of_word(claim, functions[name], arm) or \
            falsify(claim, functions[name], arm)
        failures += [name + ": " + text for text in found]
        for other, theirs in claims.items():
            if claim != theirs and not complaints_of_word(claim, functions[other], arm):
                failures.append("%s could be %s unnoticed" % (name, other))
    return failures


def with_local_calls(objdump, program, function):
    """The code of a function and of those of its file that it calls."""
    code, seen = list(function), set()
    for _, _, operands in code:  # grows meanwhile
        match = re.search(LOCAL, operands)
        if match and match.group(0) not in seen:
            seen.add(match.group(0))
            code += disassemble(objdump, program, match.group(0)[1:-1])
    return code


def main():
    objdump, table, program = sys.argv[1:4]
    rows = {row["name"]: row for row in read_table(table)}
    names = [name for name, *_ in WORD] + list(WHOLE)
    functions = {name: disassemble(objdump, program, "sonde_kernel_" + name) for name in names}
    for name in WHOLE:
        functions[name] = with_local_calls(objdump, program, functions[name])
    text = [one for function in functions.values() for one in function]
    arm = not any("%" in operands for _, _, operands in text)
    failures = ["no row for " + name for name in names if name not in rows]
    if not failures:
        failures = check_words(rows, functions, arm)
    for name, claim in WHOLE.items():
        failures += [name + ": " + text
                     for text in complaints_of_whole(claim, functions[name], arm)]
    failures += check_helpers(objdump, program, functions.values())
    for failure in failures:
        print(failure)
    print("%d loops of threads checked, %d complaints" % (len(names), len(failures)))
    sys.exit(1 if failures else 0)


main()
