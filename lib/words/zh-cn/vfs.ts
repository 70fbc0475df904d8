import type { Translated } from '@/lib/base/reader'

export const vfsZh: Readonly<Record<string, Translated>> = {
  'vfs.no-file': '{path} 处没有文件。',
  'vfs.no-folder': '{path} 处没有文件夹。',
  'vfs.nothing': '{path} 处没有任何内容。',
  'vfs.is-folder': '{path} 是文件夹，不是文件。',
  'vfs.is-file': '{path} 是文件，不是文件夹。',
  'vfs.is-link': '{path} 是链接。不会跟随链接。',
  'vfs.exists': '{path} 处已有文件。',
  'vfs.folder-exists': '{path} 处已有文件夹。',
  'vfs.not-empty': '文件夹 {path} 不是空的。',
  'vfs.root-stays': '不能删除根文件夹。',
  'vfs.root-not-moved': '不能移动根文件夹。',
  'vfs.no-room-to-move': '没有足够空间放置要恢复的内容。没有做任何更改。请删除一些文件后重试。',
  'vfs.into-itself': '不能把 {path} 移动到它自己里面。',
  'vfs.file-too-big': '没有空间存放 {size, bytes}：单个文件最大为 {most, bytes}。没有写入任何内容。',
  'vfs.full': '没有空间存放 {size, bytes}：此对话的文件已使用 {used, bytes}，上限为 {most, bytes}。没有写入任何内容。',
  'vfs.too-many-files': '不能再增加文件：此对话有 {files} 个文件，上限为 {most} 个。没有写入任何内容。',
  'vfs.changed-meanwhile': '{path} 在此期间被其他操作更改。没有覆盖它。',
  'vfs.read-only': '这里的文件只能读取。没有做任何更改。',
  'vfs.no-access': '从这里无法访问文件。',
  'vfs.browser-full':
    '浏览器没有空间存放此对话的文件了。没有做任何更改。请删除文件或旧对话，或在此设备上腾出空间，然后重试。',
  'vfs.browser-refused':
    '浏览器拒绝存储此对话的文件{details, select, empty {} other {（{details}）}}。请允许此页面存储网站数据，或退出无痕浏览，然后重新加载。',
  'vfs.earlier-version':
    '此对话的文件由早期版本的 Nod 保存，当前版本无法读取。文件仍在此浏览器中，未被改动。请用早期版本打开此对话并下载文件，或开始新对话。',
  'vfs.unreachable': '无法访问此对话的文件{details, select, empty {} other {（{details}）}}。请重新加载页面后重试。',
  'vfs.unreachable-here': '无法访问文件{details, select, empty {} other {（{details}）}}。',
  'vfs.stopped':
    'Nod 中保存此对话文件的部分停止了{details, select, empty {} other {（{details}）}}。请重试；如果仍然失败，请重新加载页面。',
  'vfs.closed': '此对话的文件已关闭。',
  'vfs.unreadable': '在此浏览器中无法读取此对话的文件。',
}
