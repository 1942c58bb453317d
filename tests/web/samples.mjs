// Passports for the tests of the page: a planted mountain, one with everything missing, a hostile
// one, and a large one. All are complete by the schema, so that the program reads them.
const none = {
    n: 0, min: null, q25: null, median: null, q75: null, p99: null, max: null, mean: null, iqr: null,
    low: null, high: null, best: null, cycles: null, autocorrelation: null, mode_low: null,
    mode_high: null, outliers: { mild: 0, severe: 0 }, rejected: 0, flags: [], label: null,
};

export function point(at, best, spread = 0.04) {
    const known = { n: 15 };
    for (const [name, factor] of Object.entries({
        min: 1 - spread, q25: 1, median: 1 + spread / 2, q75: 1 + spread, p99: 1 + 2 * spread,
        max: 1 + 2 * spread, mean: 1 + spread / 2, low: 1 - spread / 2, high: 1 + spread / 2, best: 1,
    }))
        known[name] = best * factor;
    return { at, ...none, ...(best === null ? {} : { ...known, iqr: best * spread }) };
}

export const series = (axes, quantity, points) => ({
    axes: axes.map(([name, unit, scale]) => ({ name, unit, scale })),
    quantity: { name: quantity[0], unit: quantity[1] },
    statistic: "q25",
    points,
});

export const result = (more) => ({
    status: "measured", reason: null, remedy: null, seconds: 1, series: {}, findings: {}, controls: [],
    ...more,
});

export const finding = (value, unit, more) => ({
    value, low: value === null ? null : value * 0.95, high: value === null ? null : value * 1.05, unit,
    confidence: value === null ? null : 0.95, declared: null, verdict: "undeclared",
    method: "planted", reason: null, ...more,
});

const fact = (name, value, unit, source = "sysfs") => ({
    name, value, unit, source, witness: "cpuid", status: value === null ? "unknown" : "known", note: null,
});

export function passport(more = {}) {
    return {
        schema: 1,
        tool: { version: "0.1.0", compiler: null, flags: null, isa: "x86_64", features: null },
        machine: {
            host: "planted", date: null, kernel: "Linux 6.1", model: "a planted machine", allowed: "0-3",
            online: "0-3", possible: "0-3", cpus_allowed: 4, cpus_online: 4,
            memory_installed: 2 ** 34, memory_available: 2 ** 33, memory_granted: 2 ** 34,
            memory_granted_by: "the host", page_bytes: 4096,
            ...more.machine,
        },
        vantage: { cpu: 0, kind: null, cpus: "0-3", ...more.vantage },
        environment: {
            virtualization: null, emulation: null, clock_source: "tsc", thp: "madvise", governor: null,
            smt: "off", counters: null, load1: 0.1, core_hz: 3e9, core_hz_low: 2.99e9,
            core_hz_high: 3.01e9, lost_share: 0.01, timer: "tsc", timer_step_ns: 0.4,
            timer_cost_ns: 20, pages: "small pages",
            ...more.environment,
        },
        facts: more.facts ?? [
            fact("l1d.size", 32768, "bytes"), fact("l2.size", 524288, "bytes"),
            fact("l3.size", 33554432, "bytes"), fact("memory.installed", 2 ** 34, "bytes"),
        ],
        warnings: more.warnings ?? [],
        probes: more.probes ?? {},
    };
}

// Throughput that falls at three cliffs along the sizes and towards a line along the strides.
export function mountain(factor = 1) {
    const cliffs = [32 * 1024, 512 * 1024, 8 * 1024 * 1024].map((size) => size * factor);
    const peaks = [90e9, 45e9, 22e9, 9e9];
    const points = [];
    for (let power = 12; power <= 26; power += 0.5)
        for (let stride = 8; stride <= 128; stride += 8) {
            const size = Math.round(2 ** power);
            const level = cliffs.filter((cliff) => size > cliff).length;
            const waste = level === 0 ? 1 : Math.min(8, stride / 8) ** (0.35 + 0.2 * level);
            points.push(point([size, stride], peaks[level] / waste));
        }
    const levels = ["l1d", "l2", "llc"];
    const declared = [32768, 524288, 33554432];
    return passport({
        probes: {
            mountain: result({
                series: {
                    mountain: series(
                        [["size", "bytes", "log2"], ["stride", "bytes", "linear"]],
                        ["throughput", "bytes/s"], points,
                    ),
                },
            }),
            latency: result({
                series: {
                    random: series([["size", "bytes", "log2"]], ["latency", "ns"], Array.from({ length: 57 }, (_, i) => {
                        const size = Math.round(2 ** (12 + i / 4));
                        return point([size], [1.3, 4, 14, 90][cliffs.filter((cliff) => size > cliff).length]);
                    })),
                },
                findings: Object.fromEntries(levels.flatMap((level, i) => [
                    [level === "llc" ? "llc.effective" : `${level}.size`, finding(cliffs[i], "bytes", {
                        declared: declared[i], verdict: cliffs[i] === declared[i] ? "agrees" : "contradicts",
                    })],
                    [`${level}.latency`, finding([1.3, 4, 14][i], "ns")],
                    [`${level}.latency_cycles`, finding([4, 12, 42][i], "cycles")],
                ])),
                controls: [{ what: "twice the stride", expected: "the same boundary", observed: "the same", ok: true }],
            }),
        },
    });
}

// Nothing is known: every probe ended without a figure.
export function missing() {
    const nothing = (object) => Object.fromEntries(Object.keys(object).map((key) => [key, null]));
    const all = passport({ facts: [], warnings: [{ code: "nothing", message: "nothing could be measured", hint: null }] });
    for (const part of ["machine", "vantage", "environment", "tool"]) all[part] = nothing(all[part]);
    all.probes = {
        latency: result({
            status: "unavailable", reason: "no memory was granted", remedy: "grant some", seconds: null,
            findings: { "l1d.size": finding(null, "bytes", { verdict: "not_measurable", method: null, reason: "no memory" }) },
        }),
        mountain: result({
            status: "partial", reason: "out of time",
            series: { mountain: series([["size", "bytes", "log2"], ["stride", "bytes", "linear"]], ["throughput", "bytes/s"], [point([4096, 8], null)]) },
        }),
        c2c: result({
            status: "failed", reason: "one CPU",
            series: { pairs: series([["cpu", "", "linear"], ["other", "", "linear"]], ["latency", "ns"], []) },
        }),
    };
    return all;
}

export const evil = "</script><script>alert(1)";

// Every text that a file may hold says something wicked.
export function hostile() {
    const image = `<img src=x onerror="alert(2)">`;
    const all = mountain();
    all.machine.host = evil;
    all.machine.model = image;
    all.machine.kernel = "<!-- <script> @@sonde:words@@ ]]> &lt;";
    all.warnings = [{ code: "x", message: `${evil}</noscript>`, hint: image }];
    all.facts.push({ ...fact("=cmd()", 1, "count", image), note: evil });
    all.probes[image] = result({
        status: "partial", reason: evil, remedy: image,
        series: {
            [evil]: series([[image, "", "category"]], [evil, image], [
                { ...point([0], 2), label: evil }, { ...point([1], 3), label: "__proto__" },
            ]),
            constructor: series([["size", "bytes", "log2"]], ["latency", "ns"], [point([0], 2), point([-4], 0), point([1e300], 1e-300)]),
        },
        findings: { [image]: finding(1, "count", { method: evil, reason: image }) },
        controls: [{ what: image, expected: evil, observed: "\u2028</style>", ok: false }],
    });
    return all;
}

// 512 CPUs and 2000 points a curve.
export function large(cpus = 512, length = 2000) {
    const all = mountain();
    all.machine.allowed = all.machine.online = all.machine.possible = `0-${cpus - 1}`;
    all.machine.cpus_allowed = all.machine.cpus_online = cpus;
    const walk = (factor) =>
        series([["size", "bytes", "log2"]], ["latency", "ns"], Array.from({ length }, (_, i) => {
            const size = Math.round(4096 * 2 ** ((i / length) * 16));
            return point([size], factor * (size > 2 ** 23 ? 90 : size > 2 ** 19 ? 14 : size > 2 ** 15 ? 4 : 1.3));
        }));
    all.probes.latency.series = { windowed: walk(1), random: walk(1.1), sequential: walk(0.5), wide: walk(1.4) };
    const looked = Array.from({ length: 96 }, (_, i) => Math.floor((i * cpus) / 96));
    all.probes.c2c = result({
        series: {
            pairs: series([["cpu", "", "linear"], ["other", "", "linear"]], ["latency", "ns"],
                looked.flatMap((a, i) => looked.slice(i + 1).map((b) => point([a, b], a >> 6 === b >> 6 ? 40 : 140)))),
        },
    });
    all.probes.atomics = result({
        series: {
            shared: series([["threads", "count", "log2"], ["operation", "", "category"]], ["cost", "ns"],
                Array.from({ length: cpus }, (_, i) => [0, 1, 2].map((op) => point([i + 1, op], (i + 1) * (op + 2)))).flat()),
        },
    });
    return all;
}
