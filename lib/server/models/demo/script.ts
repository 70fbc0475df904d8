import type { JsonObject } from '@/lib/base/json'
import { type Scene, text, type DemoReply, joinWords } from './scene'
import { commandScenes } from './scenes/commands'
import { brokenMatch, oddityScenes, mendedCall, nameOfChat } from './scenes/oddities'
import { promptScenes } from './scenes/prompts'
import { lastRound, describeResults, demoReplies, commandFor, type DemoText, type Turn } from './turn'

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

const isHelp = /^(?:help|\?|hi|hello|hey|what can you do|帮助|你好|你会什么|你能做什么)[.!?。！？]*$/i

function helpText(turn: Turn): string {
  const { strategy, language } = turn
  const say = (word: DemoText, values?: JsonObject) => demoReplies(language, word, values)
  const rows = (list: readonly Scene[]) =>
    list.map(({ usage, summary }) => `- \`${usage}\`: ${say(summary)}`).join('\n')
  const tools = joinWords(
    language,
    [...turn.tools].map((name) => `\`${name}\``),
  )
  const offers =
    strategy === null
      ? say('help_off')
      : tools === ''
        ? say('help_offers_none', { strategy })
        : say('help_offers', { strategy, tools })
  return [
    `${say('help')}${language === 'en' ? ' ' : ''}${offers}`,
    `**${say('help_tasks')}**\n\n${rows(promptScenes)}`,
    `**${say('help_commands')}**\n\n${rows(commandScenes)}`,
    `**${say('help_failures')}**\n\n${rows(oddityScenes)}`,
  ].join('\n\n')
}
