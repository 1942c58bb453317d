// The mountain: a cell clicked, the keys, both slices, a drag, the sliders and what they reveal,
// and what is saved.
import { readFileSync } from "node:fs";
import { check, pageOf, quiet, test } from "./check.mjs";
import { mountain } from "./samples.mjs";

const plain = (text) => text.replace(/\u00a0/g, " ");

const saved = async (page, button) => {
    const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
    return { name: download.suggestedFilename(), text: plain(readFileSync(await download.path(), "utf8")) };
};

async function cells({ page }) {
    const heading = page.locator("figure h4");
    const slice = (words) => heading.filter({ hasText: words });
    const grid = page.getByRole("grid", { name: "The mountain from above" });
    check((await grid.getAttribute("aria-rowcount")) === "16", "a row for each stride");
    const cell = grid.locator("[role=row]").nth(4).locator("[role=gridcell]").nth(10);
    await cell.click();
    check(await slice("at stride 40 B").isVisible(), "a click moves the slice by size");
    check(await slice("at size 128 KiB").isVisible(), "and the slice by stride");
    const says = plain(await cell.getAttribute("aria-label"));
    check(/size 128 KiB, stride 40 B: .* GB\/s/.test(says), "a cell says its place and value", says);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    check(await slice("at stride 48 B").isVisible(), "the keys move the slice by size");
    check(await slice("at size 256 KiB").isVisible(), "and the slice by stride");
    const label = plain(await page.evaluate(() => document.activeElement.getAttribute("aria-label")));
    check(label.startsWith("size 256 KiB, stride 48 B"), "the focus is on the cell", label);
    await page.keyboard.press("End");
    await page.keyboard.press("PageDown");
    check(await slice("at size 64 MiB").isVisible(), "End leads to the largest size");
    check(await slice("at stride 128 B").isVisible(), "Page Down to the last stride");
    check((await grid.locator("[tabindex='0']").count()) === 1, "one cell is in the order of Tab");
    const curve = page.locator("figure", { hasText: "By size, at stride" }).locator("[role=application]");
    await curve.focus();
    await page.keyboard.press("Home");
    check(await slice("at size 4 KiB").isVisible(), "a slice moves the other one");
}

async function turning({ page }) {
    const drawing = page.locator("svg.turning");
    await drawing.scrollIntoViewIfNeeded();
    const corners = () => drawing.locator("polygon").first().getAttribute("points");
    const before = await corners();
    const slider = page.getByRole("slider", { name: "Turn" });
    const angle = await slider.inputValue();
    const box = await drawing.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + 120, box.y + box.height / 2 + 10, { steps: 6 });
    await page.mouse.up();
    const dragged = await corners();
    check(dragged !== before, "a drag turns the surface");
    check((await slider.inputValue()) !== angle, "the slider follows");
    await drawing.focus();
    await page.keyboard.press("ArrowRight");
    check((await corners()) !== dragged, "a key turns it");
    await slider.focus();
    const keyed = await corners();
    await page.keyboard.press("ArrowLeft");
    check((await corners()) !== keyed, "the slider turns it");
    const whole = await drawing.locator("polygon").count();
    check(whole === 28 * 15, "a facet between every four cells", whole);
    const milliseconds = await page.evaluate(() => {
        const node = document.querySelector("svg.turning");
        const start = performance.now();
        for (let i = 0; i < 40; i++) node.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
        return (performance.now() - start) / 40;
    });
    console.log(`${whole} facets repaint in ${milliseconds.toFixed(1)} ms`);
    // A click on a facet that is seen chooses its place.
    await page.getByRole("grid", { name: "The mountain from above" }).locator("[role=gridcell]").first().click();
    const places = () => page.locator("figure h4", { hasText: / at (stride|size) / }).allInnerTexts();
    check(plain((await places()).join()) === "By size, at stride 8 B,By stride, at size 4 KiB", "the first cell is chosen");
    await drawing.scrollIntoViewIfNeeded();
    const spot = await drawing.evaluate((node) => {
        for (const facet of [...node.querySelectorAll("polygon")].filter((_, index) => index % 7 === 0)) {
            const { x, y, width, height } = facet.getBoundingClientRect();
            const [cx, cy] = [x + width / 2, y + height / 2];
            if (document.elementFromPoint(cx, cy)?.tagName === "polygon") return [cx, cy];
        }
        return null;
    });
    check(spot !== null, "facets are seen");
    await page.mouse.click(...spot);
    check(plain((await places()).join()) !== "By size, at stride 8 B,By stride, at size 4 KiB", "a click on the surface chooses");
}

async function playing({ page }) {
    const game = page.locator(".game");
    const sliders = game.getByRole("slider");
    check((await sliders.count()) === 3, "three sliders");
    check((await game.locator("table").count()) === 0, "nothing is given away before");
    const first = sliders.nth(0);
    await first.focus();
    const guess = await first.getAttribute("aria-valuetext");
    const line = page.locator("figure", { hasText: "By size, at stride" }).locator("path.mark.guess").first();
    const drawn = await line.getAttribute("d");
    await page.keyboard.press("ArrowLeft");
    check((await first.getAttribute("aria-valuetext")) !== guess, "a key moves the slider");
    check((await line.getAttribute("d")) !== drawn, "the guess moves on the slice");
    await first.evaluate((node) => {
        node.value = 15;
        node.dispatchEvent(new Event("input"));
    });
    await game.getByRole("button", { name: "Reveal" }).click();
    const rows = (await game.locator("tbody tr").allInnerTexts()).map(plain);
    check(rows.length === 3, "a row for each cache");
    check(/32 KiB.*32 KiB.*right/s.test(rows[0]), "a right guess is right", rows[0]);
    check(/8.*MiB.*32 MiB/s.test(rows[2]), "measured and declared stand side by side", rows[2]);
    check((await page.locator("path.mark.measured").count()) > 0, "the measured cliffs are drawn");
}

async function saving({ page }) {
    const svg = await saved(page, page.getByRole("button", { name: "Save as SVG: The mountain from above" }));
    check(svg.name === "mountain-A-map.svg", "the drawing has a name", svg.name);
    check(svg.text.startsWith("<svg") && svg.text.includes("<style>"), "the drawing carries its styles");
    check(!svg.text.includes("var(--"), "its colours are colours");
    // Read elsewhere: the policy of the page would refuse the styles of the drawing.
    const reader = await page.context().newPage();
    const fault = await reader.evaluate((text) => new DOMParser().parseFromString(text, "image/svg+xml").querySelector("parsererror")?.textContent ?? "", svg.text);
    await reader.close();
    check(fault === "", "the drawing is XML", fault);
    const curve = await saved(page, page.getByRole("button", { name: /^Save as SVG: latency by size/ }));
    check(/L1d 32/.test(curve.text), "the boundaries are in the saved curve");
    const table = await saved(page, page.getByRole("button", { name: "Save as CSV: Levels, measured beside declared" }));
    check(/^level,measured,/.test(table.text), "a table is saved with its heads");
    check(/\r\nL1d,32 KiB,/.test(table.text), "and its rows", table.text);
    const figure = page.locator("figure", { hasText: "latency by size" });
    await figure.getByText("Numbers").click();
    await figure.locator("tbody tr").first().waitFor(); // filled when the opening is told
    check((await figure.locator("tbody tr").count()) === 57, "every point of a curve is in its table");
}

await test(async ({ open }) => {
    for (const scheme of ["light", "dark"]) {
        const opened = await open(pageOf("mountain", mountain()), { scheme });
        for (const part of [cells, turning, playing, saving]) await part(opened);
        await quiet(opened, `after all of it, ${scheme}`);
        await opened.context.close();
    }
});
