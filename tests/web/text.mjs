// What the page of a planted machine says, to the letter: headings, tables, sentences, captions of
// figures. To renew golden.txt after a change that was meant: SONDE_GOLDEN=write, and read the
// difference.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, inFolder, more, pageOf, quiet, run, test } from "./check.mjs";

const golden = new URL("golden.txt", import.meta.url);

// Rows of the machine that differ from build to build.
const builds = /^(sonde|kernels|file) \| /;

const words = () => {
    const text = (node) => node.textContent.replace(/\s+/g, " ").trim();
    const lines = [];
    for (const node of document.querySelectorAll("h1, h2, h3, h4, nav ul, main p:not(.tools), main li:not([role]), caption, tr, summary")) {
        if (node.closest("svg")) continue;
        if (/^H\d$/.test(node.tagName)) lines.push("", `${"#".repeat(Number(node.tagName[1]))} ${text(node)}`);
        else if (node.tagName === "TR") lines.push([...node.children].map(text).join(" | "));
        else if (node.tagName === "UL") lines.push([...node.children].map(text).join(" · "));
        else lines.push(text(node));
    }
    return lines;
};

await test(async ({ open }) => {
    const planted = inFolder("planted.json");
    run("run", "--simulate", join(more[0], "three-level.json"), "--seed", "3", "--quiet", "--json", planted, "clock", "ways", "latency", "line");
    const opened = await open(pageOf("planted", planted));
    const lines = (await opened.page.evaluate(words)).filter((line) => !builds.test(line));
    const said = `${lines.join("\n").trim()}\n`;
    await quiet(opened, "planted");
    if (process.env.SONDE_GOLDEN === "write") writeFileSync(golden, said);
    const wanted = readFileSync(golden, "utf8").split("\n");
    const differ = said.split("\n").map((line, i) => (line === wanted[i] ? "" : `line ${i + 1}\n- ${wanted[i]}\n+ ${line}`)).filter(Boolean);
    check(said === wanted.join("\n"), "the page says what it said", differ.slice(0, 5).join("\n"));
});
