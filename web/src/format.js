// Numbers for people, as the program itself writes them: sizes binary, rates decimal, three
// digits, and "unknown" for what is null.
const known = (value) => typeof value === "number" && Number.isFinite(value);

export function number(value, digits = 3) {
    if (!known(value)) return "unknown";
    if (value === 0) return "0";
    if (Number.isInteger(value) && Math.abs(value) < 1e6) return String(value);
    const text = Number(value.toPrecision(digits));
    if (Math.abs(text) >= 1e6 || Math.abs(text) < 1e-4)
        return value.toExponential(digits - 1).replace("e+", "e");
    return Math.abs(text) < 10 ** (digits - 1) ? value.toPrecision(digits) : String(text);
}

// Whole numbers bare, others without the zeros at their end.
const bare = (value) => number(value).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");

function scaled(value, base, names) {
    let unit = 0;
    while (Math.abs(value) >= base && unit < names.length - 1) {
        value /= base;
        unit++;
    }
    return `${bare(value)}\u00a0${names[unit]}`;
}

const forms = {
    bytes: (value) => scaled(value, 1024, ["B", "KiB", "MiB", "GiB", "TiB"]),
    "bytes/s": (value) => scaled(value, 1000, ["B/s", "kB/s", "MB/s", "GB/s", "TB/s"]),
    "1/s": (value) => scaled(value, 1000, ["/s", "k/s", "M/s", "G/s", "T/s"]),
    hz: (value) => scaled(value, 1000, ["Hz", "kHz", "MHz", "GHz"]),
    ns: (value) =>
        value !== 0 && Math.abs(value) < 1e-3
            ? `${number(value * 1000)}\u00a0ps`
            : scaled(value, 1000, ["ns", "µs", "ms", "s"]),
    percent: (value) => `${number(value)}\u00a0%`,
    share: (value) => `${number(100 * value)}\u00a0%`,
    ratio: (value) => `${number(value)}×`,
    times: (value) => `${number(value)}×`,
    cycles: (value) => `${number(value)}\u00a0cyc`,
    count: (value) => number(value),
    "": (value) => number(value),
};

export function quantity(value, unit) {
    if (!known(value)) return "unknown";
    return forms[unit] ? forms[unit](value) : `${number(value)}\u00a0${unit}`;
}

// Units that each tick of an axis carries.
const carried = ["bytes", "bytes/s", "1/s", "hz", "ns"];

// At the tick of an axis: the same, shorter.
export function tick(value, unit) {
    if (!known(value)) return "";
    if (carried.includes(unit) && forms[unit]) return forms[unit](value);
    return bare(value);
}

// The unit behind the name of an axis; those that each tick carries are left out.
export function named(name, unit) {
    const bare = [...carried, "count", ""];
    return bare.includes(unit ?? "") ? name : `${name} (${unit})`;
}

export const isKnown = known;
