import type { MessageParts } from './message-parts'

/*
 * Open WebUI writes what is not the answer as blocks into its text, with values escaped for HTML:
 *
 *   <details type="reasoning" done="true"><summary>Thought</summary>
 *   &gt; hm</details>
 *   <details type="tool_calls" name="search" arguments="&quot;{…}&quot;" result="…"><summary>…</summary></details>
 *   <details type="code_interpreter" output="…"><summary>…</summary>
 *   ```python
 *   …
 *   ```</details>
 */

const block =
  /<details type="(reasoning|tool_calls|code_interpreter)"([^>]*)>\s*(?:<summary>[^<]*<\/summary>)?([^]*?)<\/details>\s*/g
const attribute = /([\w-]+)="([^"]*)"/g
const entities: Readonly<Record<string, string>> = { gt: '>', lt: '<', amp: '&', quot: '"', '#39': "'", '#x27': "'" }

const unescaped = (text: string): string =>
  text.replaceAll(/&(gt|lt|amp|quot|#39|#x27);/g, (_, name: string) => entities[name] ?? '')

/** Says the text, with its blocks as thoughts and calls in their places. */
export function sayWithBlocks(into: MessageParts, text: string): void {
  let at = 0
  for (const found of text.matchAll(block)) {
    into.say('text', text.slice(at, found.index))
    const [whole, kind, given = '', inner = ''] = found
    const about = new Map(Array.from(given.matchAll(attribute), ([, name, value = '']) => [name, unescaped(value)]))
    if (kind === 'reasoning') into.say('thought', unescaped(inner).replaceAll(/^> ?/gm, ''))
    else {
      const isCode = kind === 'code_interpreter'
      const tool = isCode ? kind : (about.get('name') ?? '')
      into.call(tool, isCode ? unescaped(inner).trim() : about.get('arguments'))
      const result = about.get(isCode ? 'output' : 'result')
      if (result !== undefined) into.result(tool, plain(result))
    }
    at = found.index + whole.length
  }
  into.say('text', text.slice(at))
}

/** A text that was written as JSON is itself. */
function plain(value: string): string {
  try {
    const parsed: unknown = JSON.parse(value)
    return typeof parsed === 'string' ? parsed : value
  } catch {
    return value
  }
}
