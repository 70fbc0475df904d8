import { formatBytes } from '@/lib/base/format-bytes'
import type { Translated } from '@/lib/base/reader'

export const wllamaZh: Readonly<Record<string, Translated>> = {
  'wllama.no-webassembly':
    '此浏览器不支持 WebAssembly，因此无法自己运行模型。请使用较新的 Chrome、Edge 或 Chromium。在此之前可使用你服务器上的模型或演示模型。',
  'wllama.no-simd':
    '此浏览器的 WebAssembly 不支持 SIMD，而 llama.cpp 需要它。请使用较新的 Chrome、Edge 或 Chromium。在此之前可使用你服务器上的模型或演示模型。',
  'wllama.no-exceptions':
    '此浏览器的 WebAssembly 不支持异常处理，而 llama.cpp 需要它。请使用较新的 Chrome、Edge 或 Chromium。在此之前可使用你服务器上的模型或演示模型。',
  'wllama.no-jspi':
    '此浏览器的 WebAssembly 无法等待文件（JSPI）或使用足够的内存（Memory64），而 llama.cpp 需要它们。请使用较新的 Chrome、Edge 或 Chromium。在此之前可使用你服务器上的模型或演示模型。',
  'wllama.no-opfs':
    '此浏览器不为页面保存大文件：可能是无痕窗口，或网站数据被阻止。请允许此页面存储网站数据，或从磁盘选择文件（不会复制）。',
  'wllama.no-worker':
    'Nod 中运行模型的部分未能启动{details, select, empty {} other {（{details}）}}。请重新加载页面后重试。',
  'wllama.no-address': '这不是有效的地址。请填写以 https:// 开头的 GGUF 文件地址。',
  'wllama.not-https': '向 {host} 的请求将不加密，而页面不允许这样做。请填写以 https:// 开头的地址。',
  'wllama.host-not-allowed':
    '{hosts, select, empty {此服务器的管理者不允许浏览器从任何主机下载模型。请自行下载文件，然后从磁盘选择它。} other {此服务器的管理者只允许浏览器从 {hosts} 下载模型，不包括 {host}。请自行下载文件后从磁盘选择它，或请管理者将 {host} 加入 NOD_MODEL_HOSTS。}}',
  'wllama.unreachable':
    '无法连接 {host}：可能那里没有服务响应、没有网络、它不允许其他网站的页面读取其文件（CORS），或它跳转到此服务器不允许的主机（NOD_MODEL_HOSTS）。请自行下载文件，然后从磁盘选择它。',
  'wllama.refused':
    '{status, plural, =404 {{host} 上没有这个文件（404）。请检查地址。} =401 {{host} 只向已登录的用户提供此文件（401）。请自行下载，然后从磁盘选择它。} =403 {{host} 只向已登录的用户提供此文件（403）。请自行下载，然后从磁盘选择它。} other {{host} 拒绝提供此文件（{status}）。请稍后重试，或自行下载后从磁盘选择它。}}',
  'wllama.no-size': '{host} 没有说明文件大小，因此无法判断空间是否足够。请自行下载，然后从磁盘选择它。',
  'wllama.no-room':
    '没有空间存放 {needs, bytes}：浏览器{free, select, null {不再为此页面保存更多内容} other {为此页面还剩 {free, bytes}}}。请移除其他模型、在此设备上腾出空间，或从磁盘选择文件（不会复制）。',
  'wllama.cut-off': '连接在收到 {total, bytes} 中的 {got, bytes} 后断开。已收到的部分会保留：再次下载时会从断点继续。',
  'wllama.busy-elsewhere': '另一个标签页正在下载或复制 {name}。请等它完成后再试。',
  'wllama.not-kept':
    '{name} 未能保存在此浏览器中{details, select, empty {} other {（{details}）}}。请在此设备上腾出空间后重试，或从磁盘选择文件（不会复制）。',
  'wllama.gone': '{name} 已不在此浏览器中；可能在另一个标签页中被移除，或被浏览器清理以腾出空间。请重新添加。',
  'wllama.pick-again':
    '{name} 是磁盘上的文件，每次重新加载后此页面便不能再读取它。请重新选择，或让此浏览器保存一份副本。',
  'wllama.file-changed': '无法再读取 {name}：选择之后它被更改、移动或删除。请重新选择。',
  'wllama.not-gguf':
    '{isPage, select, true {{name} 是网页，不是模型。请填写文件本身的地址，即下载按钮指向的地址。} other {{name} 不是 GGUF 文件，而 llama.cpp 只能读取 GGUF。请寻找以 .gguf 结尾的模型文件。}}',
  'wllama.version': '{name} 是版本 {version} 的 GGUF，无法读取；只支持版本 2 和 3。请寻找更新的模型文件。',
  'wllama.truncated': ({
    name,
    has,
    needs,
  }: {
    readonly name: string
    readonly has: number
    readonly needs: number
  }) =>
    needs > has
      ? `${name} 不完整：只有 ${formatBytes(needs)} 中的 ${formatBytes(has)}。请重新下载。`
      : `${name} 不完整：在权重列表结束之前就中断了。请重新下载。`,
  'wllama.damaged': '{name} 的开头是 GGUF，后面却不是：文件已损坏。请重新下载。',
  'wllama.in-parts': '{name} 是一个模型的 {parts} 个分卷之一。请寻找单文件的模型，或较小的模型。',
  'wllama.no-chat-model':
    '{name} 不含生成文本的模型{architecture, select, empty {} other {（{architecture}）}}。请寻找用于聊天的模型，名称中通常带有“instruct”。',
  'wllama.too-large':
    '{name} 约需 {needs, bytes} 内存，而页面只有 {most, bytes}。请选择较小的模型，或量化程度更高的版本（Q4）。',
  'wllama.out-of-memory': '此页面的内存不足以运行 {name}。请关闭其他标签页，或选择较小的模型。',
  'wllama.load-stalled': '{name} 没有加载完成：两分钟没有进展。请关闭其他标签页后重试，或选择较小的模型。',
  'wllama.not-loaded':
    'llama.cpp 未能加载 {name}{details, select, empty {} other {（{details}）}}。请换一个模型文件；它的类型可能比此版本的 llama.cpp 更新。',
  'wllama.no-text':
    '模型写出的内容不是文本（UTF-8 损坏），回复在此结束。之前的内容已保留。请重新提问；如果仍然如此，请换用此模型的另一个文件，或选择其他模型。',
  'wllama.too-long': '对话超出了模型 {window} token 的上下文窗口。请开始新对话、减少工具，或以更大的窗口添加该模型。',
  'wllama.grammar':
    'llama.cpp 不接受此对话调用格式的语法约束{details, select, empty {} other {（{details}）}}。请在此对话的设置中关闭“精确调用”，或选择其他调用格式。',
  'wllama.crashed':
    'llama.cpp 停止工作了{details, select, empty {} other {（{details}）}}。之前的内容已保留。请重新提问：模型会重新加载。',
  'wllama.removed': '{name} 在书写时被从模型列表中移除或更改。之前写的内容已保留。请选择其他模型，或重新添加它。',
  'wllama.failed': '模型未能生成内容{details, select, empty {} other {（{details}）}}。之前的内容已保留。请重新提问。',
}
