import type { Translated } from '@/lib/base/reader'

export const panelZh: Readonly<Record<string, Translated>> = {
  'files-panel.label': '工作区',
  'files-panel.width': '工作区的宽度',
  'files-panel.width-rem': '{rem, number} rem',
  'files-panel.unreadable': '无法读取文件。{why}',
  'files-panel.again': '重试',

  'files-panel.new-file': '新建文件',
  'files-panel.new-folder': '新建文件夹',
  'files-panel.new': '新建',
  'files-panel.upload': '上传',
  'files-panel.upload-files': '上传文件',
  'files-panel.upload-folder': '上传文件夹',
  'files-panel.unpack-zip': '解压 zip',
  'files-panel.download-zip': '下载为 zip',
  'files-panel.more': '更多',
  'files-panel.more-label': '工作区的更多操作',
  'files-panel.hide-own': '隐藏 Nod 自己的文件',
  'files-panel.show-own': '显示 Nod 自己的文件',
  'files-panel.close': '关闭工作区',
  'files-panel.pick-files': '要上传的文件',
  'files-panel.pick-folder': '要上传的文件夹',
  'files-panel.pick-zip': '要解压的 zip',

  'files-panel.empty': '还没有文件',
  'files-panel.empty-about':
    '把文件或文件夹拖到这里、粘贴进来，或让模型写一个。每个对话都有自己的文件；按下“运行”之后，调用才会更改它们。',
  'files-panel.pick-first': '要上传的第一批文件',

  'files-panel.place': '{browser} 中此对话的 {files, number} 个文件',
  'files-panel.elsewhere':
    '文件留在创建它们的浏览器中。另外还有 {places}。如需在这里使用，请在那边打开此对话，将文件下载为 zip，再在这里导入。',
  'files-panel.place-and': '{before}，以及 {place}',

  'files-panel.used': '{used, bytes} / {limit, bytes}',
  'files-panel.where': '这些文件存放在哪里',
  'files-panel.room': '这些文件占用的空间',
  'files-panel.history': '历史 {used, bytes}',
  'files-panel.forget-link': '清除较早的更改记录',
  'files-panel.forget-ask': '清除较早的更改记录？',
  'files-panel.forget-about': '文件保持不变。列表中的全部 {changes, number} 项更改将无法再撤销，可释放 {used, bytes}。',
  'files-panel.forget': '清除',
  'files-panel.cancel': '取消',

  'files-panel.only-here': '这些文件只存放在此浏览器中。其他浏览器或设备看不到它们，清除此网站的数据也会删除它们。',
  'files-panel.download-link': '下载为 zip',
  'files-panel.room-unknown': '此浏览器没有说明它有多少空间。',
  'files-panel.room-of': '此浏览器的所有对话共使用 {used, bytes}；可用空间为 {quota, bytes}。',
  'files-panel.kept': '浏览器会保留它们：磁盘快满时也不会自行清除。',
  'files-panel.may-clear': '磁盘快满时，浏览器可能不询问就清除它们，除非你要求它保留。',
  'files-panel.ask-keep': '要求浏览器保留这些文件',
  'files-panel.agreed': '浏览器同意了：它会保留这些文件，直到你删除它们。',
  'files-panel.not-agreed':
    '浏览器这次没有同意。这由它自行决定，主要看你使用此页面的频率，以及是否已加入书签或安装。在此之前，请下载重要的文件。',
}
