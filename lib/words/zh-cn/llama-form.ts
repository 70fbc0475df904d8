import { formatBytes } from '@/lib/base/format-bytes'
import type { Translated } from '@/lib/base/reader'

type Weights = { readonly bytes: number; readonly keptBytes: number }

export const llamaFormZh: Readonly<Record<string, Translated>> = {
  'llama.about':
    'GGUF 模型由 llama.cpp 在此页面中运行，对话内容不会发送到任何模型服务器。每个字都由本机计算：适合使用小模型（0.1 至 1 GB）。',
  'llama.file-about': '磁盘上的文件在原处读取，每次重新加载页面后需要重新选择；保存在浏览器中的副本则不需要。',
  'llama.seen': ({ name, bytes, keptBytes }: Weights & { readonly name: string }) =>
    keptBytes === 0
      ? `${name}，${formatBytes(bytes)}。`
      : keptBytes < bytes
        ? `${name}，${formatBytes(bytes)}；其中 ${formatBytes(keptBytes)} 已在这里。`
        : `${name}，${formatBytes(bytes)}；已全部在这里。`,
  'llama.moving': '{done, bytes} / {total, bytes}',
  'llama.kept': ({ bytes, keptBytes, isLoaded }: Weights & { readonly isLoaded: boolean }) =>
    keptBytes < bytes
      ? `${formatBytes(bytes)} 中已有 ${formatBytes(keptBytes)}`
      : `此浏览器中有 ${formatBytes(bytes)}${isLoaded ? '，已加载' : ''}`,
  'llama.failed': '没有成功（{details}）。请重试。',
}
