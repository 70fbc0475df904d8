import type { Translated } from '@/lib/base/reader'

export const restoreZh: Readonly<Record<string, Translated>> = {
  'files-restore.to-message': '恢复到某条消息',
  'files-restore.title': '恢复到此消息',
  'files-restore.message': '消息',
  'files-restore.after-reply': '回复“{words}”之后{inList, select, other {}}',
  'files-restore.before-sent': '你发送 {words} 之前{inList, select, other {}}',
  'files-restore.before-wrote': '你写“{words}”之前{inList, select, other {}}',
  'files-restore.reply-without-words': '没有文字的回复',
  'files-restore.list-older': '列出较早的消息',
  'files-restore.listing': '正在列出较早的消息…',

  'files-restore.files': '文件',
  'files-restore.files-hint': '{files}对话保持不变，也不会告知模型。',
  'files-restore.chat': '对话',
  'files-restore.chat-hint': '{chat}文件保持不变。',
  'files-restore.both': '两者',
  'files-restore.both-hint': '{files}{chat}',
  'files-restore.no-file': '没有文件会变化。',
  'files-restore.files-go': '{count, number} 个文件会恢复原状。',
  'files-restore.messages-go': '此后的 {count, number} 条消息不再显示，但会保留。',

  'files-restore.way-files': '恢复的办法：在更改列表中点击“重做”。',
  'files-restore.way-chat':
    '恢复的办法：点击消息输入框上方的“前往后面的消息”，或用分支分开处的箭头。{draft, select, true {消息的文本会放入输入框。} other {}}',
  'files-restore.way-both':
    '恢复的办法：点击消息输入框上方的“前往后面的消息”，或用分支分开处的箭头；文件会一同恢复，你自己的更改用“重做”恢复。{draft, select, true {消息的文本会放入输入框。} other {}}',
  'files-restore.running': '有调用正在运行。请等它结束，或将它停止。',
  'files-restore.do': '恢复',
}
