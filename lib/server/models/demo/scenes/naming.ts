import { demoReplies } from '../demo-words'
import type { DemoWord } from '../demo-words'
import { text } from '../reply'
import type { DemoReply } from '../reply'
import type { Turn } from '../turn'

/** As a chat's menu asks any model: `lib/shared/conversation/wire/title-request.ts`. */
const asked = /^Write a title for this conversation\./

/** By what the four prompts of an empty chat are known, and how a script calls such a chat. */
const names: readonly (readonly [RegExp, DemoWord])[] = [
  [/\borders? table\b|订单表/i, 'name_table'],
  [/\bpacking list\b|行李清单/i, 'name_list'],
  [/\blist the files\b|列出此对话的文件/i, 'name_look'],
  [/\bdice\b|骰子/i, 'name_dice'],
]

/** What a chat is called: a script has a name for what it knows by heart, and says of anything else what it was. Null: not asked. */
export function nameOfChat({ language, task }: Turn): DemoReply | null {
  if (!asked.test(task.trim())) return null
  return text(demoReplies(language, names.find(([pattern]) => pattern.test(task))?.[1] ?? 'name_other'))
}
