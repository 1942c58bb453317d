// Screenshots to look at: node shots.mjs FOLDER PAGE...
import { basename, join } from "node:path";
import { launch, open } from "./browser.mjs";

const [folder, ...pages] = process.argv.slice(2);
const browser = await launch();
for (const path of pages)
    for (const [name, width] of [["desktop", 1280], ["phone", 360]])
        for (const scheme of ["light", "dark"]) {
            const { page, context, faults, seconds } = await open(browser, path, { scheme, width });
            const file = join(folder, `${basename(path, ".html")}-${name}-${scheme}.png`);
            await page.screenshot({ path: file, fullPage: true });
            const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            console.log(file, `${seconds.toFixed(2)} s`, wide > 0 ? `overflows by ${wide}` : "", faults.join("; "));
            await context.close();
        }
await browser.close();
