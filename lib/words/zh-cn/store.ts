import type { Translated } from '@/lib/base/reader'

export const storeZh: Readonly<Record<string, Translated>> = {
  'store.no-chat': '此地址下没有对话。',
  'store.no-reply': '此回复不在这个对话中。',
  'store.no-parent': '此消息所回应的消息已不存在。',
  'store.id-taken': '此消息 ID 已被另一条消息占用。',
  'store.writing': '此对话中仍有回复正在生成。请先停止它，或等待完成。',
  'store.calls-changed': '其中一个调用刚刚在别处被决定或修改。',
  'store.call-changed': '此调用刚刚被修改。请重新查看。',
  'store.call-decided': '此调用刚刚被决定，不能再修改。',
  'store.too-many-calls': '此对话中一个回复最多可运行 {most, number} 个调用，因此这个没有运行。请查看设置。',
  'store.settings-changed': '设置刚刚被更改，因此此调用需要你点击确认。',
  'store.never-started': '此调用尚未开始，因此不能再次运行。',
  'store.nothing-waits': '此调用没有等待你处理的结果。',
  'store.model-knows': '模型已经知道这个结果。',
  'store.grant-ended': '为此调用记住的允许已被撤回或已过期，因此没有运行任何内容。',
  'store.tool-twin': '此对话已有名为 {known} 的工具，模型会把它与 {name} 混淆。请换一个名称。',
  'store.too-many-tools': '此对话已有 {most} 个自定义工具，达到上限。需要更多请开始新对话。',
  'store.tools-too-long': '此对话的工具总计将超过 {most, number} 个字符。请缩短 {name}，或开始新对话。',
  'store.too-many-pinned': '最多可置顶 {most, number} 个对话。请先取消一些置顶。',
  'store.too-many-tags': '最多可使用 {most, number} 个标签。请使用已有的标签，或先从所有对话中移除某个标签。',
  'store.too-many-shares': '你已有 {most, number} 个有效链接，达到上限。请先结束一个不再需要的链接。',
  'store.too-many-presets': '最多可保存 {most, number} 个预设。请先删除一些。',
  'store.presets-too-long': '所有预设合计将超过 {most, number} 个字符。请缩短某个系统提示词，或删除一些预设。',
  'store.went-on': '对话已在没有此调用的情况下继续，因此不能再运行它。',
  'store.replies-full':
    '正在为你生成 {running, number} 个回复{queued, plural, =0 {} other {，还有 # 个在等待}}：已达上限。请等待其中一个结束或停止它，然后重新发送。',
  'store.full':
    '你在此服务器上最多可保存 {limit, bytes}，对话已占用 {used, bytes}，因此无法再保存。你写的内容保留在此浏览器中。请导出想保留的内容，然后删除一些对话。',
  'store.budget':
    '今天{models, select, all {} other {用于 {models} 的}}剩余 token 不足：此消息约需 {needs, number}，而{mine, select, true {你} other {服务器}}的 {limit, number} 中还剩 {left, number}。额度将在 {seconds, wait}后（UTC 午夜）重新计算。在此之前，较短的对话所需更少{models, select, all {} other {，其他模型也可能还有额度}}。',
  'store.budget-too-small':
    '此消息连同对话、提示词和工具约需 {needs, number} token，而{mine, select, true {你} other {服务器}}每天{models, select, all {} other {用于 {models} 的额度}}只有 {limit, number}，所以明天也放不下。对话更短、工具更少时需要的更少。如果新对话也被拒绝，说明额度小于任何一条消息：请让服务器的管理者提高额度。',
  'store.newer':
    '数据库已由{by, select, null {更新版本的 Nod} other { Nod {by} }}升级（步骤 {step}），超出了此程序{own, select, null {} other {（Nod {own}）}}的理解范围，因此未做改动。请启动{by, select, null {更新的版本} other { Nod {by} 或更新版本}}，或恢复更新前的备份。',
  'store.older':
    '此数据库由早期版本的 Nod 写入（步骤 {step}），当前版本无法直接升级。请先用提交 {commit} 的 Nod 打开一次此数据库，再启动当前版本。',
  'store.no-answer': '存储没有响应。你写的内容保留在此标签页中；请稍后重试。',
  'store.not-taken': '存储没有接受它。',
  'store.disk-full': '磁盘已满，无法保存任何内容。请腾出空间后重试。',
  'store.read-only': '存储是只读的，无法保存任何内容。请让服务器能够写入数据文件夹。',
  'store.disk-error': '存储无法读写（I/O 错误）。请检查数据文件夹所在的磁盘。',
  'store.damaged': '数据库文件已损坏。请从备份恢复数据文件夹，或将其移走以重新开始。',
  'store.not-opened': '无法打开数据库文件。请检查数据文件夹是否存在且服务器可以写入。',
  'store.no-database': '数据库文件已损坏，或不是 SQLite 文件。将其移走即可重新开始。',
  'store.folder-not-writable': '数据文件夹无法写入。请让服务器能够写入它，或设置 NOD_DATA_DIR。',
  'store.nothing-denied': '此调用没有被拒绝，因此无需说明理由。',
  'store.reason-late': '在添加理由之前，模型已被告知此次拒绝。',
}
