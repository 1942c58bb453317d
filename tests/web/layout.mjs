// Nothing is cut off and no labels overlap, from a phone to a wall and on paper; colours can be
// told from what they stand on; everything that can be used has a name.
import { check, inFolder, more, pageOf, run, test } from "./check.mjs";
import { mountain } from "./samples.mjs";
import { join } from "node:path";

// Texts of a drawing that run into each other, or out of it.
const clashes = () => {
    const found = [];
    for (const drawing of document.querySelectorAll("figure svg[aria-label]")) {
        const frame = drawing.getBoundingClientRect();
        const texts = [...drawing.querySelectorAll("text")]
            .filter((node) => node.textContent)
            .map((node) => ({ node, box: node.getBoundingClientRect() }));
        const name = drawing.getAttribute("aria-label").slice(0, 60);
        texts.forEach(({ node, box }, index) => {
            if (box.left < frame.left - 2 || box.right > frame.right + 2 || box.top < frame.top - 2 || box.bottom > frame.bottom + 2)
                found.push(`${name}: "${node.textContent}" is cut off`);
            for (const other of texts.slice(index + 1)) {
                const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
                const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
                // Boxes are as high as the font, letters are not.
                if (across > 2 && down > box.height * 0.4)
                    found.push(`${name}: "${node.textContent}" runs into "${other.node.textContent}"`);
            }
        });
    }
    return [...new Set(found)].slice(0, 20);
};

const contrasts = () => {
    const style = getComputedStyle(document.documentElement);
    const canvas = document.createElement("canvas").getContext("2d");
    const luminance = (name) => {
        canvas.fillStyle = style.getPropertyValue(name).trim();
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((value) => {
            const part = value / 255;
            return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ratio = (a, b) => {
        const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
        return (x + 0.05) / (y + 0.05);
    };
    const poor = [];
    for (const ground of ["--paper", "--panel"])
        for (const ink of ["--ink", "--soft", "--link", "--good", "--bad", "--warn", "--accent"])
            if (ratio(ink, ground) < 4.5) poor.push(`${ink} on ${ground}: ${ratio(ink, ground).toFixed(1)}`);
    for (let i = 0; i < 8; i++)
        if (ratio(`--c${i}`, "--paper") < 3) poor.push(`--c${i}: ${ratio(`--c${i}`, "--paper").toFixed(1)}`);
    return poor;
};

const nameless = () =>
    [...document.querySelectorAll("button, a, input, [role=gridcell], [role=application], [role=region], [role=listitem]")]
        .filter((node) => {
            const by = node.getAttribute("aria-labelledby");
            const name = node.getAttribute("aria-label") || (by && document.getElementById(by)?.textContent) ||
                node.closest("label")?.textContent || node.textContent;
            return !name.trim();
        })
        .map((node) => node.outerHTML.slice(0, 80));

// Every section can be seen to be there: open where there is room, else behind a word; and what is
// gone to does not lie under the list.
async function menu(page, name, folded) {
    const list = page.locator("nav ul");
    check((await list.isVisible()) === !folded, `${name}: the list of sections is ${folded ? "folded" : "open"}`);
    if (folded) await page.locator("nav summary").click();
    const over = await list.evaluate((node) => node.scrollWidth - node.clientWidth);
    check(over <= 0, `${name}: the list of sections does not scroll sideways`, over);
    await page.locator("nav a", { hasText: "findings" }).click();
    check((await list.isVisible()) === !folded, `${name}: a choice folds the list again`);
    await page.waitForFunction(() => {
        const top = document.getElementById("findings-title").getBoundingClientRect().top;
        const still = top === window.lastTop;
        window.lastTop = top;
        return still;
    }, null, { polling: 100 });
    const seen = await page.evaluate(() => {
        const head = document.getElementById("findings-title").getBoundingClientRect();
        return head.bottom <= document.querySelector("nav").getBoundingClientRect().bottom ? head.bottom : 0;
    });
    check(seen === 0, `${name}: a section that is gone to is not covered`, seen);
}

// As it is printed: A4 is 688 pixels wide between its margins.
async function onPaper(open, name, path) {
    const { page, context } = await open(path, { width: 690, height: 1000 });
    await page.emulateMedia({ media: "print" });
    const over = await page.evaluate(() =>
        [...document.querySelectorAll("table, figure svg")]
            .filter((node) => node.getBoundingClientRect().right > innerWidth + 1)
            .map((node) => node.getAttribute("aria-label") ?? node.caption?.textContent));
    check(over.length === 0, `${name}: on paper nothing is cut off`, over.join(", "));
    await page.evaluate(() =>
        addEventListener("beforeprint", () => {
            window.onPaper = [...document.querySelectorAll("figure svg[aria-label]")].map((node) => Number(node.getAttribute("width")));
        }),
    );
    const paper = await page.pdf({ format: "A4" });
    const widths = await page.evaluate(() => window.onPaper);
    check(widths.length > 0 && widths.every((width) => width < 700), `${name}: figures are drawn for paper`, widths.join(" "));
    check(paper.subarray(0, 5).toString() === "%PDF-" && paper.length > 20000, `${name}: it prints`);
    await context.close();
}

await test(async ({ open }) => {
    const real = inFolder("real.json");
    run("run", "--budget", "6", "--seed", "3", "--quiet", "--json", real);
    const hybrid = inFolder("hybrid.json");
    run("run", "--budget", "3", "--quiet", "--json", hybrid, "--simulate", join(more[0], "hybrid.json"));
    const pages = {
        real: pageOf("real", real),
        mountain: pageOf("mountain", mountain()),
        several: pageOf("several", mountain(), mountain(2), hybrid),
    };
    for (const [name, path] of Object.entries(pages))
        for (const width of [360, 768, 1280, 3840]) {
            const { page, context } = await open(path, { width, height: Math.max(640, Math.round(width * 0.6)) });
            const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            check(over <= 0, `${name} at ${width}: nothing sticks out`, `${over} pixels`);
            await menu(page, `${name} at ${width}`, width < 900);
            const found = await page.evaluate(clashes);
            check(found.length === 0, `${name} at ${width}: labels stand clear`, found.join("\n"));
            await context.close();
        }
    for (const scheme of ["light", "dark"]) {
        const { page, context } = await open(pages.several, { scheme });
        const poor = await page.evaluate(contrasts);
        check(poor.length === 0, `${scheme}: colours stand out from their ground`, poor.join(", "));
        const without = await page.evaluate(nameless);
        check(without.length === 0, `${scheme}: everything that can be used has a name`, without.join("\n"));
        const heads = await page.$$eval("h1, h2, h3, h4", (nodes) => nodes.map((node) => Number(node.tagName[1])));
        check(heads[0] === 1 && heads.every((level, i) => i === 0 || level <= heads[i - 1] + 2), "headings go down step by step");
        await context.close();
    }
    for (const name of ["mountain", "real", "several"]) await onPaper(open, name, pages[name]);
});
