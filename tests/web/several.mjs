// Several passports: curves over each other, findings side by side, and a mark only where their
// intervals lie apart.
import { check, pageOf, quiet, test } from "./check.mjs";
import { mountain } from "./samples.mjs";

await test(async ({ open }) => {
    const other = mountain(2);
    other.machine.host = "twice";
    delete other.probes.latency.findings["l2.size"];
    const opened = await open(pageOf("several", mountain(), other));
    const { page } = opened;
    check((await page.locator("section#latency path.curve").count()) >= 2, "the curves lie over each other");
    const legend = (await page.locator("section#latency figure svg").first().locator("text").allTextContents()).join(" ");
    check(/A random/.test(legend) && /B random/.test(legend), "the legend tells them apart", legend);
    const dashes = await page.locator("section#latency path.curve").evaluateAll((nodes) => nodes.map((node) => node.getAttribute("stroke-dasharray")));
    check(new Set(dashes).size > 1, "not by colour alone");
    const row = async (name) => (await page.locator("section#compare tbody tr", { hasText: name }).first().innerText()).replace(/\s+/g, " ");
    check(/≠ differs: 2 times as much/.test(await row("l1d.size")), "a difference beyond the intervals is marked", await row("l1d.size"));
    check(/intervals overlap/.test(await row("l1d.latency ")), "an equal one is not", await row("l1d.latency "));
    check(/not measured not comparable/.test(await row("l2.size")), "what one lacks is said", await row("l2.size"));
    check(/^L1d size/.test(await page.locator("section#compare tbody tr").first().innerText()), "differences come first");
    check((await page.locator("section#mountain .game").count()) === 2, "a mountain for each");
    check((await page.locator("section#findings table").count()) === 2, "findings of each");
    await quiet(opened, "several");
    await opened.context.close();

    const same = await open(pageOf("same", mountain(), mountain()));
    check((await same.page.locator("section#compare .differs").count()) === 0, "a machine does not differ from itself");
    await same.context.close();
});
