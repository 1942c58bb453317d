// Opens pages in the system's Chromium, offline, and notes everything that should not be:
// errors, console messages, requests, violations of the policy.
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";

const places = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser"];
export const chromiumPath = places.find((path) => path && existsSync(path));

export async function launch() {
    const { chromium } = await import("playwright-core");
    return chromium.launch({
        executablePath: chromiumPath,
        args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
    });
}

// A page of its own context; faults[] grows as things go wrong.
export async function open(browser, path, { scheme = "light", width = 1280, height = 900, scripts = true } = {}) {
    const context = await browser.newContext({
        offline: true, colorScheme: scheme, viewport: { width, height }, acceptDownloads: true,
        javaScriptEnabled: scripts, deviceScaleFactor: 1,
    });
    // A busy machine is no failure.
    context.setDefaultTimeout(180000);
    const page = await context.newPage();
    const faults = [];
    const address = pathToFileURL(path).href;
    page.on("console", (message) => faults.push(`console ${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => faults.push(`error: ${error.stack}`));
    page.on("dialog", (dialog) => {
        faults.push(`dialog: ${dialog.message()}`);
        dialog.dismiss();
    });
    page.on("request", (request) => {
        const url = request.url();
        if (url !== address && !url.startsWith("data:") && !url.startsWith("blob:"))
            faults.push(`request: ${url}`);
    });
    if (scripts)
        await page.addInitScript(() => {
            window.violations = [];
            document.addEventListener("securitypolicyviolation", (event) =>
                window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
        });
    const start = performance.now();
    await page.goto(address);
    if (scripts) await page.waitForSelector("footer");
    const seconds = (performance.now() - start) / 1000;
    return { page, context, faults, seconds };
}
