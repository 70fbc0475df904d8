// Runs a snippet in the sandbox of a page of the browser suite; the shape is that of `runInNode`, with `texts` instead
// of `files`.
import { differences } from './compare.mjs'
import { outcomeOf } from './run-in-guest.mjs'
import { runInNode } from './run-in-node.mjs'

export async function runInPage(page, { code, files = {} }) {
  const absolute = Object.fromEntries(Object.entries(files).map(([path, text]) => [`/${path}`, text]))
  const report = await page.evaluate((request) => globalThis.suite.run(request), {
    code,
    files: absolute,
    timeoutMs: 10_000,
  })
  const { outcome, events } = report
  const done =
    outcome.kind === 'returned'
      ? { ok: true, text: outcome.value, isJson: outcome.valueIsJson }
      : { ok: false, text: outcome.message ?? outcome.kind }
  const lines = events.flatMap((event) => (event.type === 'console' ? [[event.level, event.text]] : []))
  return outcomeOf({ done, lines, files: report.files })
}

/** The differences of a snippet's run in a page from Node; [] if there are none. */
export async function differencesInPage(page, snippet) {
  const [node, guest] = await Promise.all([runInNode(snippet), runInPage(page, snippet)])
  return differences({ ...node, files: node.texts }, guest, snippet)
}
