// Pages of all sorts of passports open, in both schemes, without a message, a request or a
// violation: a real one of every probe, planted ones, one with everything missing, a hostile one,
// a large one; and the plain table where no script runs.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { check, inFolder, more, pageOf, quiet, run, test } from "./check.mjs";
import { evil, hostile, large, missing, mountain } from "./samples.mjs";

const models = more[0];

async function opens(open, name, path, look) {
    for (const scheme of ["light", "dark"]) {
        const opened = await open(path, { scheme });
        console.log(`${name}, ${scheme}: opened in ${opened.seconds.toFixed(2)} s`);
        check((await opened.page.locator("main > section").count()) >= 5, `${name}, ${scheme}: its sections are there`);
        if (look) await look(opened, scheme);
        await quiet(opened, `${name}, ${scheme}`);
        await opened.context.close();
    }
}

async function looksReal({ page }, passport) {
    const cells = (await page.locator("#findings tbody tr").allTextContents()).join("\n");
    const names = Object.values(passport.probes).flatMap((probe) => Object.keys(probe.findings));
    const absent = names.filter((name) => !cells.includes(name));
    check(names.length > 20 && absent.length === 0, "every finding has its row", absent.join(" "));
    for (const [name, probe] of Object.entries(passport.probes)) {
        const shown = await page.locator(`section#${name}`).count();
        const measured = Object.values(probe.series).some((s) => s.points.some((p) => p.best !== null));
        if (measured) check(shown === 1, `probe ${name} has a section`);
        const figures = await page.locator(`section#${name} figure svg`).count();
        if (measured) check(figures > 0, `probe ${name} has a figure`);
    }
}

await test(async ({ open }) => {
    const real = inFolder("real.json");
    run("run", "--budget", "6", "--seed", "3", "--quiet", "--json", real);
    const passport = [JSON.parse(readFileSync(real, "utf8"))].flat()[0];
    await opens(open, "every probe", pageOf("real", real), (opened) => looksReal(opened, passport));

    for (const file of readdirSync(models).filter((name) => /^(hybrid|no-l2|tiny-memory)\.json$/.test(name))) {
        const planted = inFolder(`planted-${file}`);
        run("run", "--budget", "3", "--quiet", "--json", planted, "--simulate", join(models, file));
        await opens(open, file, pageOf(`planted-${file}`, planted));
    }

    await opens(open, "everything missing", pageOf("missing", missing()), async ({ page }) => {
        check(await page.getByText("no memory was granted").isVisible(), "the reason is said");
        check(await page.getByText("not measurable").first().isVisible(), "what is unknown is not a number");
        check(!/NaN|undefined|Infinity|null/.test(await page.locator("body").innerText()), "no word of the machine's own");
    });

    await opens(open, "hostile", pageOf("hostile", hostile()), async ({ page }) => {
        check((await page.title()) === `sonde: ${evil}`, "the hostile host is the title", await page.title());
        check((await page.locator("h1").innerText()) === `sonde: ${evil}`, "the hostile host is text");
        check((await page.locator("script").count()) === 3, "there are no more scripts than ours");
        check((await page.locator("body img").count()) === 0, "there is no element out of a passport");
        await page.locator("#machine details summary").click();
        const button = page.getByRole("button", { name: /^Save as CSV: Declared facts/ });
        const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
        const lines = readFileSync(await download.path(), "utf8");
        check(/^'=cmd\(\),/m.test(lines), "a saved table holds no formula");
    });

    await opens(open, "large", pageOf("large", large()), async ({ page }) => {
        check((await page.locator("section#latency path.curve").count()) >= 4, "its curves are drawn");
        const frame = page.locator("section#c2c [role=gridcell]");
        await frame.focus();
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("ArrowDown");
        check(/^cpu \d+, other \d+: /.test(await frame.getAttribute("aria-label")), "a picture of cells is walked cell by cell");
        check((await frame.getAttribute("aria-colindex")) === "2", "the keys move along");
    });

    const plain = await open(pageOf("plain", mountain(), hostile()), { scripts: false });
    check((await plain.page.locator("noscript table, table").count()) >= 2, "without scripts there are tables");
    check(/L1d size/.test(await plain.page.locator("body").innerText()), "without scripts the findings are there");
    check(plain.faults.length === 0, "without scripts nothing went wrong", plain.faults.join("\n"));
    await plain.context.close();

    // The policy itself: a script that the page did not bring must not run.
    const guarded = await open(pageOf("guarded", mountain()));
    const ran = await guarded.page.evaluate(() => {
        const script = document.createElement("script");
        script.textContent = "window.ran = true";
        document.body.append(script);
        return window.ran === true;
    });
    check(!ran, "a foreign script does not run");
    check((await guarded.page.evaluate(() => window.violations.length)) > 0, "and is noticed");
    await guarded.context.close();
});
