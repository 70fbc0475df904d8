import type { Translated } from '@/lib/base/reader'

export const settingsZh: Readonly<Record<string, Translated>> = {
  'settings.damaged': '此对话的设置无法读取，因此使用了默认设置。你的消息没有受损。重新保存设置即可修复。',
  'settings.macro-tools': '此处告知模型有哪些工具以及如何调用。如果省略，会放在末尾。',
  'settings.macro-turn':
    '此外还告知模型可以使用哪些工具、是否会询问你，并在每轮结果中告知还剩几轮。无论写在哪里，第一次都放在最末尾。',
  'settings.no-macro': "'{{'{name}'}}' 不是宏，因此会原样发送给模型。",
  'settings.tools-often': "'{{tools}}' 在这里出现了 {count, number} 次，因此工具会告知模型 {count, number} 次。",
  'settings.macro-often': "'{{'{name}'}}' 在这里出现了多次；其内容只会在末尾放一次。",
}
