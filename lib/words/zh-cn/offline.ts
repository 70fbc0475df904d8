import type { Translated } from '@/lib/base/reader'

export const offlineZh: Readonly<Record<string, Translated>> = {
  'offline.about': '让任何模型都能使用工具的聊天；未经你同意，什么都不会运行。',
  'offline.new-chat': '新对话',
  'offline.playground': '试验台',
  'offline.lab': '调用格式实验室',
  'offline.chats': '对话',
  'offline.title': '该页面需要服务器',
  'offline.why': '目前无法连接服务器。最近打开过的对话仍可阅读，试验台和对话中的文件也可以使用。',
}
