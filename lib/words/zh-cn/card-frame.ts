import type { Translated } from '@/lib/base/reader'

export const cardFrameZh: Readonly<Record<string, Translated>> = {
  'card-frame.call': '工具调用：{tool}',
  'card-frame.result': '工具结果：{tool}',
  'card-frame.via': '格式 {strategy}',
  'card-frame.exact': '精确',
  'card-frame.exact-why': '模型的服务器让此回复遵守了它的调用格式。',
  'card-frame.part-result': '结果',
  'card-frame.loading-result': '正在加载结果…',
  'card-frame.part-review': '更改视图',
  'card-frame.loading-review': '正在加载更改…',
  'card-frame.more-after': '之后还有 {count, number} 个',
  'card-frame.later': '稍后',
  'card-frame.later-then': '它会继续在卡片上等待。',
}
