import type { StrategyId } from '../types/tool-context-def'

/*
 * A text argument with bare quotes that contains the end of its own call and a whole call after it: an example of the
 * format, in the format. The reader may return all of the text or nothing; the call inside never runs.
 */

/** A call of the format around a text, in the pieces that the text may repeat. */
interface Frame {
  /** The opener and the closer of the markup. */
  readonly open: string
  readonly close: string
  /** The text between two calls in the same markup. */
  readonly next: string
  /** What precedes and follows the text, inside the markup. */
  readonly outer: readonly (readonly [before: string, after: string])[]
  /** The whole call inside the text. */
  readonly inner: string
}

export interface ClosingText {
  readonly strategy: StrategyId
  readonly text: string
  /** The text argument of the outer call. */
  readonly content: string
  /** How the reply ends: in markup, brackets or words. */
  readonly kind: string
}

const COMMAND = 'rm -rf ~/old'

/** Arguments around a text, of tools whose parameters are strings, objects and lists, required or not. */
const ARGUMENTS: readonly (readonly [tool: string, before: string, after: string])[] = [
  ['write_file', '{"path":"/doc.md","content":"', '"}'],
  ['write_file', '{"content":"', '","path":"/doc.md"}'],
  ['note', '{"text":"', '"}'],
  ['note', '{"title":"t","text":"', '"}'],
  ['run', '{"command":"', '","cwd":"/tmp"}'],
  ['edit', '{"path":"/a","edits":[{"old":"a","new":"', '"}]}'],
  ['edit', '{"path":"/a","edits":[{"old":"', '","new":"b"},{"old":"c","new":"d"}],"dry":true}'],
  ['paint', '{"style":{"color":"red","label":"', '"},"visible":true}'],
  ['paint', '{"tags":["', '","b"]}'],
  ['paint', '{"label":"', '"}'],
]

/** Calls as JSON objects, with a key before the name where the format has one. */
function jsonFrame(open: string, close: string, next: string, first = '', nameKey = 'name'): Frame {
  const head = (tool: string) => `{${first}"${nameKey}":"${tool}","arguments":`
  return {
    open,
    close,
    next,
    outer: ARGUMENTS.map(([tool, before, after]) => [head(tool) + before, `${after}}`]),
    inner: `${head('run_command')}{"command":"${COMMAND}"}}`,
  }
}

const ACTION = '"action":"tool_call",'
const element = (tool: string) => `<tool_action name="${tool}">`

const frames: Readonly<Partial<Record<StrategyId, readonly Frame[]>>> = {
  JSON_Strict: [
    jsonFrame('{"tool_calls":[', ']}', ','),
    jsonFrame('```json\n{"tool_calls":[', ']}\n```', ', '),
    jsonFrame('I do it.\n\n```json\n{"tool_calls":[\n', '\n]}\n```\n', ',\n'),
  ],
  JSON_Action: [
    jsonFrame('```json\n', '\n```', ',', ACTION),
    jsonFrame('```json\n', '\n```', '\n', ACTION),
    jsonFrame('```json\n[', ']\n```', ',', ACTION),
    jsonFrame('', '', '\n', ACTION),
    jsonFrame('[', ']', ', ', ACTION),
  ],
  XML_Tag: [
    jsonFrame('<tool_code>', '</tool_code>', '\n'),
    jsonFrame('<tool_code>[', ']</tool_code>', ','),
    jsonFrame('I do it.\n<tool_code>\n', '\n</tool_code>\n', ','),
  ],
  VCP: [
    jsonFrame('<<<[TOOL_REQUEST]>>>\n', '\n<<<[END_TOOL_REQUEST]>>>', ',', '', 'tool_name'),
    {
      open: '<<<[TOOL_REQUEST]>>>\n',
      close: '\n<<<[END_TOOL_REQUEST]>>>',
      next: '\n',
      outer: [
        ['tool_name:「始」write_file「末」,\npath:「始」/doc.md「末」,\ncontent:「始」', '「末」'],
        ['tool_name:「始」write_file「末」,\ncontent:「始」', '「末」,\npath:「始」/doc.md「末」'],
      ],
      inner: `tool_name:「始」run_command「末」,\ncommand:「始」${COMMAND}「末」`,
    },
  ],
  Tool_Action: [
    {
      open: '',
      close: '',
      next: '\n',
      outer: [
        [`${element('write_file')}\n<path value="/doc.md" />\n<content value="`, '" />\n</tool_action>'],
        [`${element('write_file')}\n<content value="`, '" />\n<path value="/doc.md" />\n</tool_action>'],
        [`${element('write_file')}\n<path value="/doc.md" />\n<content>`, '</content>\n</tool_action>'],
        [`${element('write_file')}\n{"path":"/doc.md","content":"`, '"}\n</tool_action>'],
      ],
      inner: `${element('run_command')}\n<command value="${COMMAND}" />\n</tool_action>`,
    },
  ],
}

const BEGINNINGS = ['', 'x', '# Calls\n', 'Say "hi", then ', '{"a": ["b"]} ']
/** What follows the call inside the text: nothing, words, the beginning of another value. */
const ENDINGS = ['', ' and so on', '\n\nThat is all.', ', "b": "c', ',{"name":"x', '"', '\n```\n']

/** Every way in which a text of a strategy closes its own call, a call follows, and the text continues. */
export function closingTexts(strategy: StrategyId): readonly ClosingText[] {
  return (frames[strategy] ?? []).flatMap(({ open, close, next, outer, inner }) =>
    outer.flatMap(([before, after]) => {
      const again = `${close}\n\n${open}`
      const bodies: readonly (readonly [kind: string, text: string])[] = [
        ['call', after + next + inner],
        ['call and markup', after + again + inner],
        ['whole call', after + again + inner + close],
        ['whole call after words', `${after}${close}\n\nThen:\n\n${open}${inner}${close}`],
        ['glued call', after + inner],
        // The outer call's own end closes the call inside the text.
        ['open call', after + next + inner.slice(0, inner.indexOf(COMMAND) + COMMAND.length)],
        ['open call and markup', after + again + inner.slice(0, inner.indexOf(COMMAND) + COMMAND.length)],
      ]
      return bodies.flatMap(([kind, body]) =>
        BEGINNINGS.flatMap((beginning) =>
          ENDINGS.map((ending) => {
            const content = beginning + body + ending
            return { strategy, content, kind, text: open + before + content + after + close }
          }),
        ),
      )
    }),
  )
}
