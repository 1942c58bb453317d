// What the tests share: the program under test, pages made by it in a folder of their own, and
// checks that are printed one by one. Exit 0 all held, 1 one did not, 77 nothing could be tried.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromiumPath, launch, open } from "./browser.mjs";

export const [sonde, ...more] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "sonde-web-"));
let failed = 0;
let held = 0;

export function check(ok, what, detail = "") {
    if (ok) held++;
    else failed++;
    console.log(`${ok ? "ok" : "FAILED"}: ${what}${!ok && detail !== "" ? `: ${detail}` : ""}`);
    return ok;
}

export function run(...words) {
    const done = spawnSync(sonde, words, { encoding: "utf8", maxBuffer: 2 ** 28 });
    if (done.status !== 0) throw new Error(`sonde ${words.join(" ")} exits ${done.status}: ${done.stderr}`);
    return done.stdout;
}

// The page of passports (objects, or paths of files that hold them).
export function pageOf(name, ...passports) {
    const paths = passports.map((passport, index) => {
        if (typeof passport === "string") return passport;
        const path = join(folder, `${name}-${index}.json`);
        writeFileSync(path, JSON.stringify(passport));
        return path;
    });
    const page = join(folder, `${name}.html`);
    run("report", ...paths, "-o", page);
    return page;
}

export const inFolder = (name) => join(folder, name);

function skipped(why) {
    console.log(`skipped: ${why}`);
    process.exit(77);
}

// Runs the test with a browser; whatever it throws is a failure.
export async function test(body) {
    const version = spawnSync(sonde, ["--version"], { encoding: "utf8" }).stdout;
    if (!/^pages.*yes/m.test(version)) skipped("this sonde was built without the page");
    if (!chromiumPath) skipped("no Chromium here (package chromium)");
    if (!existsSync(new URL("node_modules/playwright-core", import.meta.url)))
        skipped("no playwright-core here (npm ci in tests/web)");
    let browser;
    try {
        browser = await launch();
        console.log(`Chromium ${browser.version()}`);
        await body({ open: (path, how) => open(browser, path, how) });
    } catch (error) {
        check(false, "the test ran to its end", error.stack);
    } finally {
        await browser?.close();
        rmSync(folder, { recursive: true, force: true });
    }
    console.log(`${held} held, ${failed} failed`);
    process.exit(failed ? 1 : 0);
}

// Nothing went wrong on the page so far.
export async function quiet({ page, faults }, what) {
    const violations = await page.evaluate(() => window.violations);
    check(faults.length === 0, `${what}: no error, no message, no request`, faults.join("\n"));
    check(violations.length === 0, `${what}: the policy was not violated`, violations.join("\n"));
}
