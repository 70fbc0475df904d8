import type { Translated } from '@/lib/base/reader'

export const browserModelsZh: Readonly<Record<string, Translated>> = {
  'doctor.models':
    '{count, plural, =0 {服务器可以响应此页面，但还没有模型。请在那里加载或拉取一个，然后再次测试。} other {服务器可以响应此页面，有 # 个模型。}}',
  'doctor.no-address': '这不是有效的地址。地址形如 http://127.0.0.1:11434 或 https://models.example.com/v1。',
  'doctor.not-allowed':
    '此 Nod 的管理者不允许页面访问 {address}。只有管理者可以更改：对应的设置是 NOD_BROWSER_MODELS。',
  'doctor.unreachable': '{address} 没有响应。请启动 {server}，并检查地址和端口是否正确。',
  'doctor.mixed-content':
    '此页面通过 https 打开，浏览器只允许这样的页面用 http 访问本机。{address} 是另一台机器：请为它启用 https，或通过 http 打开 Nod。',
  'doctor.local-network-denied':
    '此浏览器被设置为不允许此页面访问本地网络，因此没有请求 {address}。请在网站设置（地址前的图标）中允许“本地网络访问”，然后再次测试。',
  'doctor.local-network-asks':
    '{address} 没有返回内容。浏览器会在页面访问本地网络前询问你：请选择“允许”，然后再次测试。如果没有出现询问，说明那里没有服务响应。',
  'doctor.no-cors':
    '{address} 有服务器响应，但它不允许此页面读取响应：缺少针对 {origin} 的标头 Access-Control-Allow-Origin。如果那是 {server}，可以这样允许此页面：',
  'doctor.header-refused':
    '{address} 有服务器响应并允许此页面读取，但拒绝标头 {header}：针对 {origin} 的 Access-Control-Allow-Headers 必须包含它。',
  'doctor.key-refused':
    '{hadKey, select, true {服务器拒绝了密钥（{status}）。请检查密钥是否完整、是否属于此服务器。} other {服务器需要密钥（{status}）。请填入你拥有的密钥。}}',
  'doctor.refused': '服务器拒绝列出它的模型（{status}），并说：{words}',
  'doctor.wrong-path':
    '此地址上是{isHtml, select, true {一个网页} other {一个响应（{status}）}}，而不是模型列表。{instead, select, null {请在服务器启动时的输出中查找以 /v1 结尾的地址。} other {{instead} 上有模型列表。}}',
  'doctor.compatible': 'OpenAI 兼容服务器',
  'doctor.wrong-kind': '这是 {is}。请选择该类型。',
  'doctor.server-error': '服务器返回了 {status}：它在运行，但目前出了问题。它自己的日志有更多信息。',
  'fix.ollama': 'OLLAMA_ORIGINS={origin}',
  'fix.lm-studio': 'lms server start --cors',
  'fix.llama-cpp': 'llama-server --cors-origins {origin}',
  'fix.vllm': 'vllm serve --allowed-origins \'["{origin}"]\'',
  'fix.headers': 'Access-Control-Allow-Headers: authorization, content-type',
  'how.ollama': 'Ollama 从环境变量读取该设置。请设置后重新启动 Ollama：',
  'how.lm-studio': '在 LM Studio 中：Developer → Server Settings →“Enable CORS”。或在命令行中：',
  'how.llama-cpp': 'llama.cpp 默认允许所有页面访问，除非另有设置；可用 --cors-origins 指定：',
  'how.vllm': 'vLLM：',
  'how.headers': '位于它前面的代理必须以下列标头响应 OPTIONS：',
  'doing.loading': '正在加载：{percent, percent}',
  'doing.reading': '正在读取对话：{percent, percent}',
  'hosts.none': '此 Nod 的管理者不允许页面自行访问模型服务器（设置 NOD_BROWSER_MODELS）。',
  'own.facts':
    '{kind}{address, select, empty {} other {，{address}}}{hasKey, select, true { · 有密钥} other {}} · {contextTokens, select, null {上下文窗口未知} other {{contextTokens, number} token}}',
  'server.facts':
    '{count, plural, =0 {此 Nod 管理者的配置中没有可用的模型。只有管理者可以更改。} other {# 个模型来自此 Nod 管理者的配置。只有管理者可以更改。}}',
  'server.model':
    '{provider}{contextTokens, select, null {} other { · {contextTokens, number} token}}{isDefault, select, true { · 新对话的默认模型} other {}}',
  'kept.where':
    '地址和密钥保存在此浏览器中（IndexedDB），任何能使用此浏览器配置文件的人都可以读取。它们不会发送到 Nod 的服务器；服务器只收到模型的名称和它写的内容。',
  'kept.failed': '此浏览器没有保存：它不允许此网站存储数据，或空间不足。',
  'chrome.downloadable': '此浏览器可以拥有自己的模型。添加时由浏览器下载一次。',
  'chrome.downloading': '浏览器正在下载模型：{percent, percent}。',
  'chrome.available': '此浏览器有自己的模型，可以使用。',
  'chrome.failed': '浏览器没有提供它的模型：{why}',
}
