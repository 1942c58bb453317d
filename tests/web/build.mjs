// What the page is made of: small, pinned to exact versions, fetched from nowhere in particular,
// allowed by hashes that fit.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { check, more, pageOf, test } from "./check.mjs";
import { missing } from "./samples.mjs";
import { places } from "../../web/src/model.js";

const largest = 150000;

// Places on category axes: by the names of the axis, by the unit of a number, by its own name.
function namesOfPlaces() {
    const series = {
        axes: [
            { name: "operation", unit: "", scale: "category", names: ["read", "write"] },
            { name: "reads", unit: "percent", scale: "category" },
            { name: "seed", unit: "", scale: "category" },
        ],
        points: [{ at: [0, 100, 1] }, { at: [1, 50, 2] }, { at: [7, 50, 2] }],
    };
    const said = series.points.map((point) => places(series, point, (value, unit) => `${value} ${unit}`));
    const wanted = ["read, reads 100 percent, seed 1", "write, reads 50 percent, seed 2",
        "operation 7, reads 50 percent, seed 2"];
    check(said.join() === wanted.join(), "places have names", said.join("; "));
}

await test(async () => {
    namesOfPlaces();
    const root = join(more[0], "..", "..", "..");
    for (const folder of ["web", "tests/web"]) {
        const read = (name) => JSON.parse(readFileSync(join(root, folder, name), "utf8"));
        const wanted = read("package.json");
        const pins = { ...wanted.dependencies, ...wanted.devDependencies, ...wanted.overrides };
        check(Object.values(pins).every((pin) => /^\d+\.\d+\.\d+$/.test(pin)), `${folder}: every version is exact`);
        const lock = readFileSync(join(root, folder, "package-lock.json"), "utf8");
        check(!/"resolved"|https?:/.test(lock.replace(/"url": "[^"]*"/g, "")), `${folder}: the lock names no address`);
        const packages = Object.entries(JSON.parse(lock).packages).filter(([name]) => name);
        check(packages.length > 0 && packages.every(([, entry]) => entry.integrity), `${folder}: every package is held by its hash`);
    }
    const page = readFileSync(pageOf("missing", missing()), "utf8");
    const template = page
        .replace(/(<script type="application\/json"[^>]*>)[^]*?(<\/script>)/g, "$1$2")
        .replace(/<noscript>[^]*?<\/noscript>/, "");
    console.log(`${Buffer.byteLength(template)} bytes before data`);
    check(Buffer.byteLength(template) <= largest, "the page is small before its data");
    const policy = template.match(/Content-Security-Policy" content="([^"]*)"/)[1];
    const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
    check(policy.includes("default-src 'none'") && !/unsafe|\*|https?:/.test(policy), "the policy allows nothing else", policy);
    check(policy.includes(`script-src ${hash(template.match(/<script>([^]*?)<\/script>/)[1])}`), "the hash of the script fits");
    check(policy.includes(`style-src ${hash(template.match(/<style>([^]*?)<\/style>/)[1])}`), "the hash of the style fits");
    check(!/(src|href)="?https?:|@import|url\(http/.test(template), "nothing is to be fetched");
});
