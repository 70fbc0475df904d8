import type { Translated } from '@/lib/base/reader'

/** Of the table of variables; English stands there. */
export const limitsZh: Readonly<Record<string, Translated>> = {
  'limit.NOD_WORKERS': '提供服务的进程数，auto 表示每个核心一个；退出的进程会被替换',
  'limit.NOD_DATABASE_CONNECTIONS': '一个节点到 PostgreSQL 的连接数',
  'limit.NOD_MAX_RUNS': '一个节点同时生成的回复数；事件循环繁忙时会减少。超出的需要排队',
  'limit.NOD_MAX_RUNS_PER_OWNER': '其中每个所有者的数量，所有节点合计；超出的需要排队',
  'limit.NOD_MAX_STREAMS_PER_OWNER': '一个所有者在一个节点上同时打开的回复视图数',
  'limit.NOD_MAX_RUNS_PER_ADDRESS': '来自同一地址的所有人同时生成的回复数，所有节点合计',
  'limit.NOD_MAX_STREAMS_PER_ADDRESS': '同一地址在一个节点上打开的回复视图数',
  'limit.NOD_MAX_QUEUED': '在一个节点上排队的回复数；超出的会以 Retry-After 拒绝。0：不排队',
  'limit.NOD_MAX_QUEUED_PER_OWNER': '其中每个所有者的数量，所有节点合计',
  'limit.NOD_MAX_BYTES_PER_OWNER': '一个所有者可以保存的内容：消息、图片、结果、日志。0：不限，如仅供本机使用的服务器',
  'limit.NOD_BYTES_PER_DAY_PER_ADDRESS':
    '同一地址一天（UTC）内可以存储的数据量，所有节点合计（一个节点会多放行 1/64）',
  'limit.NOD_REQUESTS_PER_MINUTE': '一个所有者每分钟的请求数，所有节点合计（一个节点在询问之前会多放行 1/8）',
  'limit.NOD_REQUESTS_PER_MINUTE_PER_ADDRESS': '同上，按地址计算',
  'limit.NOD_NEWCOMERS_PER_HOUR': '同一地址每小时的新访客数，所有节点合计',
  'limit.NOD_BUDGET_TOKENS_PER_DAY': '所有人一天（UTC）内在所有模型上可用的 token 总数；更多设置见 nod.config.json',
  'limit.NOD_BUDGET_TOKENS_PER_DAY_AND_PERSON': '同上，按每个人计算',
  'limit.NOD_RETENTION_DAYS': '超过这么多天无人使用的对话会连同其全部内容一起删除；页面上会说明',
  'limit.NOD_ORPHAN_DAYS': '没有账户的访客超过这么多天未来访，其对话会被删除',
  'limit.NOD_RATE_BURST': '一个所有者在一个节点上可以同时发出的请求数',
  'limit.NOD_RATE_PER_SECOND': '该数量恢复的速度',
  'limit.NOD_STALL_MS': '模型最长可沉默多久，超过则放弃回复',
  'limit.NOD_SHUTDOWN_GRACE_MS': '收到 SIGTERM 后回复还可以继续多久；其余的会保留文字并以中断结束',
  'limit.NOD_SHUTDOWN_DELAY_MS':
    '上述时间的开头部分：此时仍接受请求，但 /api/ready 已返回 503；仅供本机使用的服务器不等待',
  'limit.OTEL_TRACES_SAMPLER_ARG': '记录追踪的请求所占的比例',
  'limit.NOD_DEMO_DELAY_MS': '演示模型两段文字之间的间隔',

  'limit.unit.processes': '{count, number} 个进程',
  'limit.unit.connections': '{count, number} 个连接',
  'limit.unit.replies': '{count, number} 个回复',
  'limit.unit.views': '{count, number} 个视图',
  'limit.unit.bytes': '{count, number} 字节',
  'limit.unit.requests': '{count, number} 个请求',
  'limit.unit.requests-a-second': '每秒 {count, number} 个请求',
  'limit.unit.visitors': '{count, number} 位访客',
  'limit.unit.tokens': '{count, number} token',
  'limit.unit.part-of-all-requests': '所有请求的 {count, number}',
  'limit.unit.days': '{count, number} 天',
}
