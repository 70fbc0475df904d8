import type { Translated } from '@/lib/base/reader'

export const workspaceZh: Readonly<Record<string, Translated>> = {
  'workspace.name-missing': '请输入名称。',
  'workspace.no-name': '{name} 不能作为名称。请换一个。',
  'workspace.file-there': '{path} 处已有文件。请换一个名称。',
  'workspace.folder-there': '{path} 处已有文件夹。请换一个名称。',
  'workspace.is-file': '{path} 是文件，不是文件夹。',
  'workspace.move-no-folder': '{folder} 处没有文件夹。没有移动任何内容。',
  'workspace.move-into-itself': '不能把 {path} 移动到它自己里面。没有移动任何内容。',
  'workspace.move-taken': '{folder} 中已有名为 {name} 的项目。没有移动任何内容。',
  'workspace.upload-too-big': '{path} 太大：它有 {size, bytes}，而单个文件最大为 {most, bytes}。没有上传任何内容。',
  'workspace.upload-no-room':
    '没有空间存放 {files, plural, =1 {{largest}（{total, bytes}）} other {# 个文件（共 {total, bytes}，最大的是 {largest}）}}：此对话的文件已使用 {used, bytes}，上限为 {most, bytes}。没有上传任何内容。',
  'workspace.upload-too-many':
    '不能再增加 {files, number} 个文件：此对话有 {held, number} 个文件，上限为 {most, number} 个。没有上传任何内容。',
  'workspace.not-restored-now': '没有恢复任何内容：有回复正在生成，或有消息正在发送。',
  'workspace.restored-in-part': '对话已回到先前状态，但并非所有文件都已恢复。{why}',
  'workspace.not-restored': '没有恢复任何内容。{why}',
}
