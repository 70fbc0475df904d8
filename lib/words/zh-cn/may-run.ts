import type { Translated } from '@/lib/base/reader'

export const mayRunZh: Readonly<Record<string, Translated>> = {
  'may.run': '可以运行 {name} 吗？',
  'may.send': '可以发送 {name} 的结果吗？',
}
