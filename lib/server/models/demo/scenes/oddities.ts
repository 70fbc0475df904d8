import { ask, refusal, text, type DemoReply, type Scene } from '../scene'
import {
  lastRound,
  write,
  writeExample,
  writeOtherDialect,
  type Turn,
  describeResults,
  demoReplies,
  type DemoText,
} from '../turn'
import { brokenContent, longReply } from './material'

export const brokenMatch = /\bbroken call\b/i

const brokenCall = {
  name: 'write_file',
  arguments: { path: '/notes/broken.md', content: brokenContent },
} as const

/** Mistakes of real models, on demand. */
export const oddityScenes: readonly Scene[] = [
  {
    usage: 'a broken call',
    summary: 'a call that ends in the middle of its content',
    matches: brokenMatch,
    play: (turn) => brokenReply(turn, { kind: 'stop' }),
  },
  {
    usage: 'an unknown tool',
    summary: 'a call to a tool that does not exist',
    matches: /\bunknown tool\b/i,
    play(turn) {
      if (turn.rounds.length > 0) return text(describeResults(lastRound(turn), turn.language))
      const calls = [{ name: 'send_email', arguments: { to: 'nobody@example.com', subject: 'Hello' } }]
      return (
        refusal({ ...turn, tools: new Set(['send_email']) }, calls) ??
        text('A script gets names wrong on purpose. There is no such tool:', write(turn, calls))
      )
    },
  },
  {
    usage: 'wrong arguments',
    summary: 'a call that lacks what the tool needs',
    matches: /\b(?:wrong|bad|invalid) arguments?\b/i,
    play: (turn) =>
      turn.rounds.length > 0
        ? text(describeResults(lastRound(turn), turn.language))
        : ask(turn, 'The script forgets the path on purpose:', [{ name: 'read_file', arguments: { limit: 5 } }]),
  },
  {
    usage: 'an example in a code block',
    summary: 'a call that is quoted, so it is not one',
    matches: /\bexample in a code block\b|\bquoted call\b/i,
    play: (turn) =>
      refusal(turn, [brokenCall]) ??
      text(
        'This is how I would write a call. It stands in a code block, so it is an example and nothing that could run:',
        `\`\`\`\`text\n${writeExample(turn, [{ name: 'read_file', arguments: { path: '/notes/list.md' } }])}\n\`\`\`\``,
        'A script likes to explain.',
      ),
  },
  {
    usage: 'a foreign call',
    summary: 'a call in the form of another strategy than the chat’s',
    matches: /\bforeign call\b/i,
    play: (turn) =>
      refusal(turn, []) ??
      text(
        'Some models fall back into the form that they were trained on. The script imitates one:',
        writeOtherDialect(turn, [{ name: 'list_directory', arguments: { path: '/' } }]),
      ),
  },
  {
    usage: 'think',
    summary: 'reasoning apart from the reply, and `<think>` inside it',
    matches: /^(?:please )?think\b/i,
    play: () => ({
      parts: [
        {
          kind: 'reasoning',
          text: 'The user wants to see reasoning. I am a script, so this was thought long ago: it comes apart from the reply.',
        },
        {
          kind: 'text',
          text: '<think>\nAnd this is reasoning that a model writes into its reply, between tags. A call in here, like one to read_file, would not count.\n</think>\n\nThat was some thinking, of both kinds. As a script I had the answer before the question.',
        },
      ],
      ending: { kind: 'stop' },
    }),
  },
  {
    usage: 'a long reply',
    summary: 'a few kilobytes of Markdown at a readable pace',
    matches: /\blong reply\b/i,
    play: ({ known }) => text(longReply(known)),
  },
  {
    usage: 'slow reply SECONDS',
    summary: 'a reply that takes its time, at most 120 s; with `then write` it ends with a call',
    matches: /\bslow reply\b(?: (?:of )?(\d{1,3}))?/i,
    play(turn, [, seconds = '10']) {
      if (turn.rounds.length > 0) return text(describeResults(lastRound(turn), turn.language))
      const words =
        `This script was asked to be slow. It needs about ${Math.min(Number(seconds), 120)} seconds for these few lines, ` +
        'so that there is time to reload, to open a second tab, or to press Stop. Every word that has arrived is kept, ' +
        'whatever happens to this page in the meantime. That was it.'
      const call = { name: 'write_file', arguments: { path: '/notes/slow.md', content: 'Good things take time.\n' } }
      const reply = /\bthen write\b/i.test(turn.task) ? ask(turn, words, [call]) : text(words)
      return { ...reply, durationMs: Math.min(Number(seconds), 120) * 1_000 }
    },
  },
  {
    usage: 'cut',
    summary: 'a reply that reaches the length limit inside a call',
    matches: /^(?:please )?cut\b/i,
    play: (turn) => brokenReply(turn, { kind: 'length' }),
  },
  {
    usage: 'fail [STATUS] [midway]',
    summary: 'an error of the model server: 500, or 401, 404, 429; `midway` after some words',
    matches: /^(?:please )?fail\b(?: (4\d\d|5\d\d))?( midway)?/i,
    play: (_turn, [, status = '500', midway]) => ({
      parts: midway === undefined ? [] : [{ kind: 'text', text: 'The script begins to answer, and then its server' }],
      ending: { kind: 'failure', status: Number(status) },
    }),
  },
  {
    usage: 'stall',
    summary: 'a reply that begins and never goes on',
    matches: /^(?:please )?stall\b/i,
    play: () => ({
      parts: [{ kind: 'text', text: 'The script begins, and then nothing more comes' }],
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
  return { ...text('The script starts to write a file:', written.slice(0, cutAt)), ending }
}

/** The broken call in its correct form: the reply to an error message about it. */
export const mendedCall = (turn: Turn): DemoReply =>
  turn.rounds.length > 1 || (turn.rounds.length === 1 && lastRound(turn).some(({ status }) => status === 'completed'))
    ? text(describeResults(lastRound(turn), turn.language))
    : ask(turn, 'You are right, that call was cut off. A script has the whole of it:', [brokenCall])

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
