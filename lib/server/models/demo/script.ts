import { type Scene, text, type DemoReply } from './scene'
import { commandScenes } from './scenes/commands'
import { brokenMatch, oddityScenes, mendedCall, nameOfChat } from './scenes/oddities'
import { promptScenes } from './scenes/prompts'
import { lastRound, describeResults, demoReplies, commandFor } from './turn'
import type { Turn } from './turn'

/** Everything that the script can do; the first matching scene plays. */
export const scenes: readonly Scene[] = [...promptScenes, ...commandScenes, ...oddityScenes]

/** The reply to one turn, which depends only on the turn. */
export function playTurn(turn: Turn): DemoReply {
  const task = turn.task.trim()
  if (isHelp.test(task)) return text(helpText(turn))
  const name = nameOfChat(turn)
  if (name !== null) return name
  const played = playScene(turn, task)
  if (played !== null) return played
  if (brokenMatch.test(turn.previousTask) && /\b(?:call|cut|again|fix|read)\b/i.test(task)) return mendedCall(turn)
  const meant = commandFor(task)
  const guessed = meant === null ? null : playScene(turn, meant)
  if (guessed !== null) return guessed
  if (turn.rounds.length > 0) return text(describeResults(lastRound(turn), turn.language))
  return text(
    demoReplies(turn.language, task === '' ? 'demo' : 'no_answer'),
    demoReplies(turn.language, 'try', { usage: demoReplies(turn.language, 'usage') }),
  )
}

function playScene(turn: Turn, task: string): DemoReply | null {
  for (const scene of scenes) {
    const found = scene.matches.exec(task)
    if (found !== null) return scene.play(turn, found)
  }
  return null
}

const isHelp = /^(?:help|\?|hi|hello|hey|what can you do)[.!?]*$/i

function helpText(turn: Turn): string {
  const rows = (list: readonly Scene[]) => list.map(({ usage, summary }) => `- \`${usage}\`: ${summary}`).join('\n')
  const tools =
    turn.strategy === null
      ? 'Tools are off in this chat, so I can only talk.'
      : `My prompt describes the strategy **${turn.strategy}** and offers ${turn.tools.size === 0 ? 'no tools' : [...turn.tools].map((name) => `\`${name}\``).join(', ')}.`
  return [
    'I am a **demo**: a script, not an AI. I know the lines below and little else, and I write calls the way the system ' +
      `prompt tells me to. ${tools}`,
    `**Whole jobs**\n\n${rows(promptScenes)}`,
    `**Short commands**\n\n${rows(commandScenes)}`,
    `**Things that go wrong**\n\n${rows(oddityScenes)}`,
  ].join('\n\n')
}
