import type { Translated } from '@/lib/base/reader'

export const branchZh: Readonly<Record<string, Translated>> = {
  'files-branch.moved': '{count, plural, =1 {{path} } other {# 个文件}}现在是此对话分支上的样子。',
  'files-branch.not-kept': '未能保留它们。{why}',
  'files-branch.hide-files': '隐藏文件',
  'files-branch.show-files': '显示文件',
  'files-branch.keep': '保留之前的样子{count, plural, other {}}',
  'files-branch.ends-here': '你回到了这里。接下来写的内容会开始新的分支；之后的内容仍会保留。',
  'files-branch.forward': '前往后面的消息',
  'files-branch.dismiss': '关闭',
}
