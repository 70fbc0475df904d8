import type { Translated } from '@/lib/base/reader'

export const pathsZh: Readonly<Record<string, Translated>> = {
  'vfs.path-too-long': '无法使用路径 {path}：超过了 {most} 个字符。',
  'vfs.path-half-character': '无法使用路径 {path}：含有不完整的代理对。',
  'vfs.path-control-character': '无法使用路径 {path}：含有控制字符。',
  'vfs.path-backslash': '无法使用路径 {path}：含有反斜杠；文件夹请用 / 分隔。',
  'vfs.path-outside': '路径 {path} 指向此对话的文件之外。',
  'vfs.name-too-long': '名称 {name} 太长：名称最多 {most} 字节。',
  'vfs.name-reserved': '名称 {name} 是保留名称。请换一个，例如 {name}-file。',
  'vfs.name-hidden': '不能使用名称 {name}：它含有不可见的 {holds}。请去掉它。',
}
