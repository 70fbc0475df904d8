import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Random } from '../grammar/grammar'
import { toolContextBuilder } from '../tool-context-builder'
import type { StrategyId } from '../types/tool-context-def'
import { strategies } from '../registry'
import { groupsToDamage } from './calls-to-damage'
import { liveCalls } from './live-calls'
import { nestedTools } from './nested-calls'

/*
 * Real source code as models put it into calls when they forget to escape: its quotes are bare. The reader may return
 * all of the text, or nothing.
 */

const ROOT = path.resolve(import.meta.dirname, '../../..')
const FOLDERS: readonly string[] = ['app', 'components', 'docs', 'e2e', 'lib', 'public', 'scripts']
const KINDS = /\.(?:tsx?|mjs|css|html|md|json|jsonl|yml|sh)$/
const MAX_FILE = 200_000

/** The texts of this repository's files that contain quotes. */
export function readSources(): readonly string[] {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && KINDS.test(entry.name))
      .map((entry) => path.join(entry.parentPath, entry.name)),
  )
  return files
    .toSorted()
    .map((file) => readFileSync(file, 'utf8'))
    .filter((text) => text.includes('"') && text.length < MAX_FILE)
}

/** Some lines of a file that contain a quote and no backslash; null if there are none at this place. */
export function passageOf(sources: readonly string[], random: Random): string | null {
  const lines = random.pick(sources).split('\n')
  const from = random.int(lines.length)
  const passage = lines.slice(from, from + 1 + random.int(random.chance(0.5) ? 4 : 30)).join('\n')
  return passage.includes('"') && !passage.includes('\\') && passage.length < 4000 ? passage : null
}

/** A call that contains a text with bare quotes. */
export interface BareText {
  readonly strategy: StrategyId
  readonly text: string
  readonly content: string
  /** Offset of the text in it. */
  readonly from: number
  readonly to: number
}

const OPENERS = /tool_code|tool_calls?|tool_action|TOOL_REQUEST/

const bodyOf = (args: string): string => `{"name":"write_file","arguments":${args}}`
const WRAPS: readonly (readonly [StrategyId, (args: string) => string])[] = [
  ['JSON_Strict', (args) => `{"tool_calls":[${bodyOf(args)}]}`],
  ['JSON_Strict', (args) => `I write it.\n\n\`\`\`json\n{"tool_calls":[${bodyOf(args)}]}\n\`\`\`\n`],
  ['JSON_Action', (args) => `\`\`\`json\n{"action":"tool_call",${bodyOf(args).slice(1)}\n\`\`\``],
  ['JSON_Action', (args) => `{"action":"tool_call",${bodyOf(args).slice(1)}`],
  ['XML_Tag', (args) => `<tool_code>${bodyOf(args)}</tool_code>`],
  ['XML_Tag', (args) => `I write it.\n<tool_code>\n${bodyOf(args)}\n</tool_code>\n`],
  ['VCP', (args) => `<<<[TOOL_REQUEST]>>>\n{"tool_name":"write_file","arguments":${args}}\n<<<[END_TOOL_REQUEST]>>>`],
  ['Tool_Action', (args) => `<tool_action name="write_file">\n${args}\n</tool_action>`],
]

/** Whether the whole text was read, or nothing; otherwise what was read instead. */
export function judgeBare(
  { strategy, content }: BareText,
  text: string,
): 'right' | 'refused' | { readonly live: string } {
  const live = liveCalls(toolContextBuilder.get(strategy), text, nestedTools)
  if (live.length === 0) return 'refused'
  const [only] = live
  const right = live.length === 1 && only?.name === 'write_file' && only.arguments['content'] === content
  return right ? 'right' : { live: live.map((call) => `${call.name} ${JSON.stringify(call.arguments)}`).join('; ') }
}

/** Files about the formats themselves: calls of each format, on one line, as the text argument of a call. */
export const quotedFormats = (): readonly string[] =>
  strategies.flatMap((def) =>
    groupsToDamage.flatMap((calls) => {
      const written = def.formatCalls(calls)
      return written.includes('\\') || !written.includes('"')
        ? []
        : [written, `# The format\n\n${written}\n\nThat is all.`]
    }),
  )

/** One text per JSON format around `content`. */
export function bareTexts(content: string, random: Random): readonly BareText[] {
  // If a call of the format begins a line, a reply that was cut off and restarted looks the same as a text.
  const raw = !OPENERS.test(content) && random.chance(0.3)
  const last = random.chance(0.8)
  const written = raw ? content : content.replaceAll('\n', '\\n').replaceAll('\t', '\\t')
  const args = last ? `{"path":"/src/a.ts","content":"${written}"}` : `{"content":"${written}","path":"/src/a.ts"}`
  return WRAPS.map(([strategy, wrap]) => {
    const text = wrap(args)
    const from = text.indexOf(written, text.indexOf('"content":"') + 11)
    return { strategy, text, content, from, to: from + written.length }
  })
}
