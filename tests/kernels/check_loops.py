#!/usr/bin/env python3
"""Holds the machine code of the kernels against their rows.

usage: check_loops.py OBJDUMP TABLE PROGRAM [--plain]

TABLE has a line per kernel: name, unroll, instructions, loads, stores, bytes read, bytes
written, all per iteration, and the branches that the program reads of its own machine code
inside the kernel's loops, which must be those of the disassembly.

For a kernel in assembly (instructions above 0) the loop in the disassembly of PROGRAM must be
exactly that, have one backward branch, start at a multiple of 64 bytes, count down by its
steps, call nothing, and, where it uses no memory, have no constant but that count (some cores
fold adds of constants away). The loops of branches must
have as many conditional branches beside their end, conditional moves and indirect calls as
they are there for: a branch is a branch, and a conditional move is none. What rows of branches
lie behind a loop must be that, each branch to the next and so many bytes from it. Of the C loops, the
kept sum must be a loop that loads and the discarded one none (not asked of a build with
--plain, whose compiler was told to leave everything in place).

Each row is then falsified, one count at a time, and the check must notice.
"""
import errno
import re
import subprocess
import sys

FIELDS = ["name", "unroll", "instructions", "loads", "stores", "read", "written"]
DECODED = "branches"
WIDTHS = [(r"%zmm", 64), (r"%ymm", 32), (r"%xmm", 16), (r"%r\w+d\b", 4), (r"%r", 8),
          (r"%e", 4), (r"\bq\d", 16), (r"\bx\d|\bxzr", 8), (r"\bd\d", 8), (r"\bw\d|\bwzr", 4)]
READ_ONLY = ("cmp", "test", "bt")
# Of loops that are there for their branches: branches forward inside the loop, conditional
# moves, indirect calls.
SHAPES = {"branch_bits": (64, 0, 0), "branch_one": (1, 0, 0), "branch_kept": (1, 0, 0),
          "branch_select": (0, 1, 0), "call_nest": (0, 0, 1), "call_targets": (10, 0, 1),
          "taken_16": (0, 0, 1), "taken_32": (0, 0, 1), "taken_64": (0, 0, 1)}
# Rows of branches behind the loop: bytes from one to the next; and of all (kernels/taken.h).
ROWS = {"taken_16": 16, "taken_32": 32, "taken_64": 64}
ROW_BYTES = 262144
CONDITIONAL = r"(j(?!mp)\w+|b\.\w+|cbn?z|tbn?z)$"
CONDITIONAL_MOVE = r"(cmov\w+|csel|csinc|csinv|csneg|cset|csetm|cinc|set(?!p)\w+)$"
NO_ACCESS = ("lea", "nop", "prefetch")


def read_table(path):
    rows = []
    with open(path, encoding="utf-8") as table:
        for line in table:
            words = line.split()
            rows.append(dict(zip(FIELDS + [DECODED], [words[0]] + [int(word) for word in words[1:]])))
    return rows


def disassemble(objdump, program, symbol):
    """(address, mnemonic, operands) of each instruction of a function."""
    listing = subprocess.run(
        [objdump, "-d", "--no-show-raw-insn", "--disassemble=" + symbol, program],
        check=True, capture_output=True, text=True).stdout
    pattern = re.compile(r"^\s*([0-9a-f]+):\s+(\S+)\s*(.*?)\s*(?:(?:#\s|//|;).*)?$")
    found = []
    inside = False
    for line in listing.splitlines():
        if line.endswith(">:"):
            inside = line.endswith("<" + symbol + ">:")
        match = pattern.match(line)
        if inside and match:
            found.append((int(match.group(1), 16), match.group(2), match.group(3)))
    return found


def branch_target(instruction):
    """Where a jump inside a function leads; None for anything else and for calls."""
    _, mnemonic, operands = instruction
    if not re.match(r"(j\w+|b|b\.\w+|cbn?z|tbn?z|loop\w*)$", mnemonic):
        return None
    match = re.search(r"([0-9a-f]+) <", operands)
    return int(match.group(1), 16) if match else None


def loops_of(function):
    """Each backward branch with the instructions from its target up to itself."""
    loops = []
    for instruction in function:
        target = branch_target(instruction)
        if target is not None and target <= instruction[0]:
            loops.append([other for other in function
                          if target <= other[0] <= instruction[0]])
    return loops


def shape_of(loop):
    """(branches forward inside it, conditional moves, indirect calls) of a loop."""
    branches = moves = calls = 0
    for instruction in loop:
        address, mnemonic, operands = instruction
        target = branch_target(instruction)
        branches += (re.match(CONDITIONAL, mnemonic) is not None and target is not None
                     and address < target <= loop[-1][0])
        moves += re.match(CONDITIONAL_MOVE, mnemonic) is not None
        calls += mnemonic == "blr" or (mnemonic.startswith("call") and "*" in operands)
    return branches, moves, calls


def complaints_about_shape(name, loop):
    shape = SHAPES.get(name)
    if shape is None or shape_of(loop) == shape:
        return []
    return ["has %d branches, %d conditional moves and %d indirect calls" % shape_of(loop)
            + " where %d, %d and %d belong" % shape]


def complaints_about_branches(spacing, function, loop):
    """The row of branches behind the loop."""
    row = [instruction for instruction in function if instruction[0] > loop[-1][0]]
    branches = [at for at, mnemonic, _ in row if re.match(CONDITIONAL, mnemonic)]
    targets = [branch_target(instruction) for instruction in row
               if branch_target(instruction) is not None]
    counted = sum(re.match(r"(inc|add)", mnemonic) is not None for _, mnemonic, _ in row)
    others = [mnemonic for _, mnemonic, operands in row
              if not re.match(r"endbr64|hint|bti|inc|add$|ret|ldp|nop|xchg", mnemonic)
              and not re.match(CONDITIONAL, mnemonic) and "nop" not in operands]
    found = []
    if len(branches) != ROW_BYTES // spacing or counted != len(branches):
        found.append("has a row of %d branches and %d counts" % (len(branches), counted))
    if any(later - at != spacing for at, later in zip(branches, branches[1:])):
        found.append("has branches that are not %d bytes apart" % spacing)
    if len(targets) != len(branches) or any(target % spacing or not 0 < target - at < spacing
                                            for at, target in zip(branches, targets)):
        found.append("has branches that do not lead to the next one")
    if others:
        found.append("has %s in its row" % others[0])
    return found


def width(text):
    for pattern, size in WIDTHS:
        if re.search(pattern, text):
            return size
    return 0


def accesses_of(instruction):
    """(loads, stores, bytes read, bytes written) of one instruction."""
    _, mnemonic, operands = instruction
    if "[" in operands:  # aarch64
        registers = operands[:operands.index("[")]
        size = width(registers) * registers.count(",")
        size = {"ldrb": 1, "ldrh": 2, "strb": 1}.get(mnemonic, size)
        if mnemonic.startswith("ld"):
            return 1, 0, size, 0
        if mnemonic.startswith("st"):
            return 0, 1, 0, size
        return 0, 0, 0, 0
    padding = re.search(r"\bnop[wl]?\b", mnemonic + " " + operands)  # of any length
    if "(" not in operands or mnemonic.startswith(NO_ACCESS) or padding:
        return 0, 0, 0, 0
    parts = re.split(r",(?![^(]*\))", operands)
    size = width(" ".join(part for part in parts if "(" not in part))
    if re.match(r"v?[a-z]+s[sd]$", mnemonic) and "%xmm" in operands:  # one number of it
        size = 8 if mnemonic.endswith("d") else 4
    size = {"movzb": 1, "movzw": 2}.get(mnemonic[:5], size)
    if "(" not in parts[-1] or mnemonic.startswith(READ_ONLY):
        return 1, 0, size, 0
    if "mov" in mnemonic:
        return 0, 1, 0, size
    return 1, 1, size, size


def constant_of(instruction):
    match = re.search(r"[$#](0x[0-9a-f]+|\d+)", instruction[2])
    return int(match.group(1), 0) if match else None


def steps_of(function, loop):
    """Steps an iteration takes off the count: what the counter goes down by, times what the
    count was divided by (a shift) before the loop."""
    steps, counter = 0, None
    for _, mnemonic, operands in loop:
        if mnemonic.startswith("dec"):
            steps = 1
        elif mnemonic.startswith("sub"):
            match = re.search(r"[$#](0x[0-9a-f]+|[0-9]+)", operands)
            steps = int(match.group(1), 0) if match else steps
        else:
            continue
        counter = re.search(r"%\w+|\b[xw]\d+", operands)
    for instruction in function:
        if instruction[0] >= loop[0][0]:
            break
        shifted = re.search(r"%\w+|\b[xw]\d+", instruction[2])
        if instruction[1].startswith(("shr", "lsr")) and counter and shifted and \
                shifted.group(0) == counter.group(0):
            steps <<= constant_of(instruction) or 0
    return steps


def complaints_about_constants(row, function, loop):
    constants = [instruction for instruction in loop if constant_of(instruction) is not None
                 and not instruction[1].startswith("sub")]
    found = []
    if steps_of(function, loop) != row["unroll"]:
        found.append("takes %d steps an iteration, its row says %d"
                     % (steps_of(function, loop), row["unroll"]))
    if row["loads"] + row["stores"] == 0 and constants:
        found.append("uses constants beside its counter")
    return found


def complaints_about(row, function, loops):
    if not function:
        return ["is not in the program"]
    if len(loops) != 1:
        return ["has %d backward branches, not 1" % len(loops)]
    loop = loops[0]
    sums = [sum(column) for column in zip(*map(accesses_of, loop))]
    counted = dict(zip(["loads", "stores", "read", "written"], sums))
    counted["instructions"] = len(loop)
    found = ["has %s %d, its row says %d" % (what, value, row[what])
             for what, value in counted.items() if value != row[what]]
    if loop[0][0] % 64 != 0:
        found.append("does not start at a multiple of 64")
    found += complaints_about_constants(row, function, loop)
    if row["name"] not in SHAPES and any(re.match(r"call|bl", instruction[1])
                                         for instruction in loop):
        found.append("calls something")
    return found + complaints_about_shape(row["name"], loop)


def check_assembly(row, function):
    loops = loops_of(function)
    found = complaints_about(row, function, loops)
    for what in FIELDS[1:]:
        if not complaints_about(dict(row, **{what: row[what] + 1}), function, loops):
            found.append("could have a wrong count of %s unnoticed" % what)
    spacing = ROWS.get(row["name"])
    if spacing and loops:
        found += complaints_about_branches(spacing, function, loops[0])
        if not complaints_about_branches(2 * spacing, function, loops[0]):
            found.append("could have another spacing unnoticed")
    return found


def check_shapes(objdump, program):
    """A shape must not fit the loop of another: else a branch could pass for a move."""
    loops = {}
    for name in SHAPES:
        found = loops_of(disassemble(objdump, program, "sonde_kernel_" + name))
        if len(found) == 1:
            loops[name] = found[0]
    return ["%s could be %s unnoticed" % (name, other)
            for name in loops for other in loops
            if SHAPES[name] != SHAPES[other] and not complaints_about_shape(name, loops[other])]


def branches_in_loops(function):
    """Conditional branches both of whose ways lead back to them, by walking instructions."""
    addresses = [instruction[0] for instruction in function]
    follows = dict(zip(addresses, addresses[1:]))
    ways, conditional = {}, []
    for instruction in function:
        address, mnemonic, _ = instruction
        target = branch_target(instruction)
        through = [follows[address]] if address in follows else []
        if re.match(CONDITIONAL, mnemonic) and target is not None:
            ways[address] = [target] + through
            conditional.append(address)
        elif target is not None:
            ways[address] = [target]
        elif re.match(r"(ret\w*|jmp|br\w?\w?|ud2|udf|brk)$", mnemonic):
            ways[address] = []
        else:
            ways[address] = through

    def leads_to(start, end):
        met, open_ways = set(), [start]
        while open_ways:
            at = open_ways.pop()
            if at == end:
                return True
            if at not in met:
                met.add(at)
                open_ways += ways.get(at, [])
        return False

    # Beyond the last branch that leads back nothing is inside a loop.
    last = max((instruction[0] for instruction in function
                if (branch_target(instruction) or instruction[0] + 1) <= instruction[0]), default=0)
    conditional = [address for address in conditional if address <= last]
    return sum(len(ways[address]) == 2 and all(leads_to(way, address) for way in ways[address])
               for address in conditional)


def check_decoded(row, function):
    """What the program reads of its own machine code, against the disassembly."""
    if row[DECODED] in (-errno.ENOTSUP, -errno.E2BIG):
        return []
    expected = branches_in_loops(function)
    if row[DECODED] == expected:
        return []
    return ["reads %d branches in its own loops, the disassembly shows %d"
            % (row[DECODED], expected)]


def check_sums(objdump, program):
    kept = loops_of(disassemble(objdump, program, "sonde_kernel_sum_kept"))
    discarded = disassemble(objdump, program, "sonde_kernel_sum_discarded")
    found = []
    if not any(accesses_of(instruction)[0] for loop in kept for instruction in loop):
        found.append("sum_kept: has no loop that loads")
    if not discarded:
        found.append("sum_discarded: is not in the program")
    if loops_of(discarded):
        found.append("sum_discarded: is still a loop, so it shows nothing")
    return found


def main():
    objdump, table, program = sys.argv[1:4]
    failures = []
    checked = 0
    for row in read_table(table):
        function = disassemble(objdump, program, "sonde_kernel_" + row["name"])
        # Instrumented C ends in calls that never return: it has no last return to read to.
        if function and (row["instructions"] or "--plain" not in sys.argv):
            failures += [row["name"] + ": " + text for text in check_decoded(row, function)]
        if row["instructions"] == 0:
            continue
        failures += [row["name"] + ": " + text for text in check_assembly(row, function)]
        checked += 1
    if checked:
        failures += check_shapes(objdump, program)
    if "--plain" not in sys.argv:
        failures += check_sums(objdump, program)
    for failure in failures:
        print(failure)
    print("%d kernels in assembly checked, %d complaints" % (checked, len(failures)))
    if checked == 0 and not failures:
        print("skipped: no kernel is in assembly here")
        sys.exit(77)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
