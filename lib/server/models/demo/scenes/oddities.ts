import { ask, refusal, text, type DemoReply, type Scene } from '../scene'
import {
  lastRound,
  write,
  writeExample,
  writeOtherDialect,
  writesAsText,
  type Turn,
  describeResults,
  demoReplies,
  type DemoText,
} from '../turn'
import type { JsonObject } from '@/lib/base/json'
import { brokenContent, longReply } from './material'

export const brokenMatch = /\bbroken call\b/i

const brokenCall = {
  name: 'write_file',
  arguments: { path: '/notes/broken.md', content: brokenContent },
} as const

const say = ({ language }: Turn, word: DemoText, values?: JsonObject): string => demoReplies(language, word, values)

/** Mistakes of real models, on demand. */
export const oddityScenes: readonly Scene[] = [
  {
    usage: 'a broken call',
    summary: 'about_broken',
    matches: brokenMatch,
    play: (turn) => brokenReply(turn, { kind: 'stop' }),
  },
  {
    usage: 'an unknown tool',
    summary: 'about_unknown',
    matches: /\bunknown tool\b/i,
    play(turn) {
      if (turn.rounds.length > 0) return text(describeResults(lastRound(turn), turn.language))
      // A tool server may offer the first name.
      const name =
        ['send_email', 'send_postcard', 'send_pigeon'].find((each) => !turn.tools.has(each)) ?? 'send_nothing'
      const calls = [{ name, arguments: { to: 'nobody@example.com', subject: 'Hello' } }]
      return (
        refusal({ ...turn, tools: new Set([name]) }, calls) ??
        text(say(turn, 'odd_unknown', { name }), write(turn, calls))
      )
    },
  },
  {
    usage: 'wrong arguments',
    summary: 'about_arguments',
    matches: /\b(?:wrong|bad|invalid) arguments?\b/i,
    play: (turn) =>
      turn.rounds.length > 0
        ? text(describeResults(lastRound(turn), turn.language))
        : ask(turn, say(turn, 'odd_arguments'), [{ name: 'read_file', arguments: { limit: 5 } }]),
  },
  {
    usage: 'an example in a code block',
    summary: 'about_example',
    matches: /\bexample in a code block\b|\bquoted call\b/i,
    play: (turn) =>
      refusal(turn, [brokenCall]) ??
      text(
        say(turn, 'odd_example', { own: String(writesAsText(turn)) }),
        `\`\`\`\`text\n${writeExample(turn, [{ name: 'read_file', arguments: { path: '/notes/list.md' } }])}\n\`\`\`\``,
        say(turn, 'odd_example_end'),
      ),
  },
  {
    usage: 'a foreign call',
    summary: 'about_foreign',
    matches: /\bforeign call\b/i,
    play: (turn) =>
      refusal(turn, []) ??
      text(say(turn, 'odd_foreign'), writeOtherDialect(turn, [{ name: 'list_directory', arguments: { path: '/' } }])),
  },
  {
    usage: 'think',
    summary: 'about_think',
    matches: /^(?:please )?think\b/i,
    play: (turn) => ({
      parts: [
        { kind: 'reasoning', text: say(turn, 'odd_reasoning') },
        { kind: 'text', text: `<think>\n${say(turn, 'odd_think')}\n</think>\n\n${say(turn, 'odd_thought')}` },
      ],
      ending: { kind: 'stop' },
    }),
  },
  {
    usage: 'a long reply',
    summary: 'about_long',
    matches: /\blong reply\b/i,
    play: ({ known }) => text(longReply(known)),
  },
  {
    usage: 'slow reply SECONDS',
    summary: 'about_slow',
    matches: /\bslow reply\b(?: (?:of )?(\d{1,3}))?/i,
    play(turn, [, seconds = '10']) {
      if (turn.rounds.length > 0) return text(describeResults(lastRound(turn), turn.language))
      const durationMs = Math.min(Number(seconds), 120) * 1_000
      const words = say(turn, 'odd_slow', { seconds: durationMs / 1_000 })
      const call = { name: 'write_file', arguments: { path: '/notes/slow.md', content: 'Good things take time.\n' } }
      const reply = /\bthen write\b/i.test(turn.task) ? ask(turn, words, [call]) : text(words)
      return { ...reply, durationMs }
    },
  },
  {
    usage: 'cut',
    summary: 'about_cut',
    matches: /^(?:please )?cut\b/i,
    play: (turn) => brokenReply(turn, { kind: 'length' }),
  },
  {
    usage: 'fail [STATUS] [midway]',
    summary: 'about_fail',
    matches: /^(?:please )?fail\b(?: (4\d\d|5\d\d))?( midway)?/i,
    play: (turn, [, status = '500', midway]) => ({
      parts: midway === undefined ? [] : [{ kind: 'text', text: say(turn, 'odd_midway') }],
      ending: { kind: 'failure', status: Number(status) },
    }),
  },
  {
    usage: 'stall',
    summary: 'about_stall',
    matches: /^(?:please )?stall\b/i,
    play: (turn) => ({
      parts: [{ kind: 'text', text: say(turn, 'odd_stall') }],
      ending: { kind: 'stall' },
    }),
  },
]

/** Text, then a call to write a file that stops in the middle of its content. */
function brokenReply(turn: Turn, ending: DemoReply['ending']): DemoReply {
  if (turn.rounds.length > 0) return mendedCall(turn)
  const refused = refusal(turn, [brokenCall])
  if (refused !== null) return refused
  const written = write(turn, [brokenCall])
  const cutAt = written.indexOf('ends in the middle') + 'ends in the mid'.length
  return { ...text(say(turn, 'odd_broken'), written.slice(0, cutAt)), ending }
}

/** The broken call in its correct form: the reply to an error message about it. Any other result is described. */
export const mendedCall = (turn: Turn): DemoReply =>
  turn.rounds.length > 1 || lastRound(turn).some(({ status }) => status !== 'error')
    ? text(describeResults(lastRound(turn), turn.language))
    : ask(turn, say(turn, 'odd_mended'), [brokenCall])

/** The request that a chat's menu sends to any model: `lib/shared/conversation/wire/trial.ts`. */
const asked = /^Write a title for this conversation\./

/** Recognizes the four starter prompts of an empty chat, with the title for each. */
const names: readonly (readonly [RegExp, DemoText])[] = [
  [/\borders? table\b|订单表/i, 'name_table'],
  [/\bpacking list\b|行李清单/i, 'name_list'],
  [/\blist the files\b|列出此对话的文件/i, 'name_look'],
  [/\bdice\b|骰子/i, 'name_dice'],
]

/**
 * The title of a chat: a fixed one for a known starter prompt, otherwise a generic one. Null: no title was requested.
 */
export function nameOfChat({ language, task }: Turn): DemoReply | null {
  if (!asked.test(task.trim())) return null
  return text(demoReplies(language, names.find(([pattern]) => pattern.test(task))?.[1] ?? 'name_other'))
}
