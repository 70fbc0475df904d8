import type { Translated } from '@/lib/base/reader'

export const waitsZh: Readonly<Record<string, Translated>> = {
  'wait.cancel': '取消',
  'wait.log': '正在加载日志…',
  'wait.files': '正在查看文件…',
  'wait.files-change': '正在更改文件…',
  'wait.chats-change': '正在更改对话…',
  'wait.undelete': '正在恢复…',
  'wait.delete-all': '正在删除服务器和此浏览器中的内容…',
  'wait.test-it': '测试',
  'wait.test': '正在询问服务器有哪些模型…',
  'wait.zip-look': '正在查看 zip…',
  'wait.zip-read': '正在读取 zip：{done, bytes} / {all, bytes}…',
  'wait.unpack': '正在写入 {files, number} 个文件…',
  'wait.zip-make': '正在制作 zip：{done, number} / {all, number} 个文件，{bytes, bytes}…',
  'wait.zip-stopped': '已停止。没有生成 zip。',
  'wait.upload-read': '正在读取 {name}：{done, bytes} / {all, bytes}…',
  'wait.upload-write': '正在写入 {bytes, bytes}…',
  'wait.upload-stopped': '已停止。没有上传任何内容。',
  'wait.export-ask': '正在向服务器请求此对话…',
  'wait.export': '正在导出：{done, number} / {all, number} 个文件…',
  'wait.export-pack': '正在打包 zip…',
}
