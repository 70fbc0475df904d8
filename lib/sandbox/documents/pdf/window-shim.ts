// pdf.js's worker takes over the messages of any worker that it is loaded in, unless there is a `window`.
const here = globalThis as { window?: unknown }
here.window ??= globalThis

export {}
