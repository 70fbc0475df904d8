/** Fifty diagrams as models write them: every kind that Mermaid has, of ordinary size, some with Chinese text. */

const chain = (count: number) =>
  Array.from({ length: count - 1 }, (_, at) => `  N${at}[Step ${at}] --> N${at + 1}[Step ${at + 1}]`).join('\n')

const styled = Array.from(
  { length: 20 },
  (_, at) => `  S --> T${at}(Task ${at}):::${at % 2 === 0 ? 'even' : 'odd'}`,
).join('\n')

export const ordinaryDiagrams: readonly string[] = [
  `flowchart TD\n  A[Start] --> B{Is it?}\n  B -->|Yes| C[OK]\n  B -->|No| D[Fix it]\n  D --> B`,
  `graph LR\n${chain(6)}`,
  `graph TD\n${chain(10)}`,
  `flowchart TB\n${chain(30)}`,
  `flowchart LR\n  开始([开始]) --> 判断{数据是否有效？}\n  判断 -->|是| 处理[处理数据]\n  判断 -->|否| 报错[报告错误]\n  处理 --> 结束([结束])\n  报错 --> 结束`,
  `flowchart TB\n  subgraph Client\n    UI[Page] --> Store[(Store)]\n  end\n  subgraph Server\n    API[API] --> DB[(Database)]\n    API --> Q[[Queue]]\n  end\n  UI -- "HTTP" --> API\n  Q -.-> W[/Worker/]\n  W ==> DB`,
  `flowchart LR\n  classDef even fill:#dfd,stroke:#393,stroke-width:2px\n  classDef odd fill:#ddf,stroke:#339,color:#000\n  S((Plan))\n${styled}`,
  `flowchart TD\n  A["\`A **bold** label\`"] --> B@{ shape: cyl, label: "Stored" }\n  B --> C>Flag]\n  C --> D{{Hex}}\n  style A fill:#f9f,stroke:#333,stroke-width:4px\n  linkStyle 0 stroke:#f66,stroke-width:3px`,
  `sequenceDiagram\n  Alice->>Bob: Hello Bob\n  Bob-->>Alice: Hi Alice`,
  `sequenceDiagram\n  autonumber\n  participant U as User\n  participant W as Web app\n  participant A as API\n  participant D as Database\n  U->>W: Open page\n  W->>A: GET /items\n  A->>D: SELECT\n  D-->>A: rows\n  A-->>W: JSON\n  W-->>U: Show list\n  U->>W: Delete\n  W->>A: DELETE /items/1`,
  `sequenceDiagram\n  actor 用户\n  participant 浏览器\n  participant 服务器\n  用户->>浏览器: 输入账号和密码\n  浏览器->>+服务器: 登录请求\n  alt 密码正确\n    服务器-->>浏览器: 令牌\n  else 密码错误\n    服务器-->>-浏览器: 401\n  end\n  Note over 浏览器,服务器: 全程 HTTPS`,
  `sequenceDiagram\n  box Purple Front\n  participant A\n  end\n  loop Every minute\n    A->>B: ping\n    activate B\n    B-->>A: pong\n    deactivate B\n  end\n  par one\n    A->>C: x\n  and two\n    A->>D: y\n  end\n  rect rgb(200, 220, 255)\n    C-)D: async\n  end`,
  `classDiagram\n  Animal <|-- Duck\n  Animal : +int age\n  Animal : +isMammal()\n  class Duck{\n    +String beakColor\n    +swim()\n  }`,
  `classDiagram\n  class Order { +id: int\n +total() float }\n  class Customer { +name: string }\n  class Item { +price: float }\n  class Payment\n  <<interface>> Payment\n  Customer "1" --> "*" Order : places\n  Order *-- Item\n  Payment <|.. Card\n  Payment <|.. Cash\n  Order --> Payment`,
  `classDiagram\n  direction LR\n  namespace 动物园 {\n    class 动物 { +名字 string }\n    class 鸟\n    class 鱼\n  }\n  动物 <|-- 鸟\n  动物 <|-- 鱼`,
  `stateDiagram-v2\n  [*] --> Idle\n  Idle --> Running: start\n  Running --> Idle: stop\n  Running --> Failed: error\n  Failed --> [*]`,
  `stateDiagram-v2\n  state Active {\n    [*] --> Waiting\n    Waiting --> Approved: run\n    Waiting --> Denied: deny\n    --\n    [*] --> Logging\n  }\n  [*] --> Active\n  state fork <<fork>>\n  Active --> fork\n  fork --> A\n  fork --> B\n  note right of A : A remark`,
  `stateDiagram\n  [*] --> 待支付\n  待支付 --> 已支付: 支付\n  已支付 --> 已发货\n  已发货 --> [*]`,
  `erDiagram\n  CUSTOMER ||--o{ ORDER : places\n  ORDER ||--|{ LINE_ITEM : contains\n  CUSTOMER {\n    string name PK\n    string email\n  }\n  ORDER {\n    int id PK\n    date created\n  }`,
  `erDiagram\n  用户 ||--o{ 订单 : "下单"\n  订单 }|--|{ 商品 : "包含"\n  用户 {\n    int id PK "主键"\n    string 姓名\n  }`,
  `gantt\n  title A plan\n  dateFormat YYYY-MM-DD\n  excludes weekends\n  section Design\n  Research :done, a1, 2026-01-05, 10d\n  Mockups :active, a2, after a1, 8d\n  section Build\n  Code :crit, b1, after a2, 20d\n  Release :milestone, m1, after b1, 0d`,
  `gantt\n  title 项目计划\n  dateFormat YYYY-MM-DD\n  axisFormat %m-%d\n  section 设计\n  需求分析 :a, 2026-03-01, 7d\n  原型 :b, after a, 5d\n  section 开发\n  编码 :c, after b, 14d\n  测试 :d, after c, 7d`,
  `pie title Pets at home\n  "Cats" : 3\n  "Dogs" : 5\n  "Birds" : 1`,
  `pie showData\n  title 市场份额\n  "甲" : 45.5\n  "乙" : 30\n  "丙" : 24.5`,
  `mindmap\n  root((mindmap))\n    Origins\n      Long history\n      ::icon(fa fa-book)\n    Research\n      On effectiveness\n    Tools\n      Pen and paper\n      Mermaid`,
  `mindmap\n  root((学习计划))\n    数学\n      线性代数\n      微积分\n    编程\n      Python\n      数据结构`,
  `timeline\n  title History of social media\n  2002 : LinkedIn\n  2004 : Facebook : Google\n  2005 : YouTube\n  2006 : Twitter`,
  `timeline\n  title 中国历史\n  section 古代\n    秦 : 统一六国\n    汉 : 丝绸之路\n  section 近代\n    清 : 鸦片战争`,
  `gitGraph\n  commit\n  commit id: "two"\n  branch develop\n  checkout develop\n  commit\n  commit tag: "v0.1"\n  checkout main\n  merge develop\n  commit type: HIGHLIGHT`,
  `gitGraph LR:\n  commit id: "初始"\n  branch 功能\n  commit id: "登录"\n  commit id: "注册"\n  checkout main\n  merge 功能 tag: "v1"\n  branch hotfix\n  commit\n  checkout main\n  cherry-pick id: "登录"`,
  `journey\n  title My working day\n  section Go to work\n    Make tea: 5: Me\n    Go upstairs: 3: Me\n    Do work: 1: Me, Cat\n  section Go home\n    Sit down: 5: Me`,
  `quadrantChart\n  title Reach and engagement\n  x-axis Low Reach --> High Reach\n  y-axis Low Engagement --> High Engagement\n  quadrant-1 We should expand\n  quadrant-2 Need to promote\n  quadrant-3 Re-evaluate\n  quadrant-4 May be improved\n  Campaign A: [0.3, 0.6]\n  Campaign B: [0.45, 0.23]`,
  `requirementDiagram\n  requirement test_req {\n    id: 1\n    text: the test text.\n    risk: high\n    verifymethod: test\n  }\n  element test_entity {\n    type: simulation\n  }\n  test_entity - satisfies -> test_req`,
  `C4Context\n  title System Context\n  Person(customer, "Customer", "A customer")\n  System(banking, "Banking", "Shows accounts")\n  System_Ext(mail, "Mail", "Sends mail")\n  Rel(customer, banking, "Uses")\n  Rel(banking, mail, "Sends", "SMTP")`,
  `C4Container\n  title 容器图\n  Person(u, "用户")\n  Container_Boundary(c, "系统") {\n    Container(web, "前端", "React", "页面")\n    Container(api, "后端", "Node", "接口")\n    ContainerDb(db, "数据库", "PostgreSQL", "数据")\n  }\n  Rel(u, web, "使用", "HTTPS")\n  Rel(web, api, "调用")\n  Rel(api, db, "读写")`,
  `sankey-beta\n\nCoal,Electricity,40\nGas,Electricity,30\nWind,Electricity,20\nElectricity,Homes,50\nElectricity,Industry,40`,
  `xychart-beta\n  title "Sales"\n  x-axis [jan, feb, mar, apr, may, jun]\n  y-axis "Revenue" 0 --> 11000\n  bar [5000, 6000, 7500, 8200, 9500, 10500]\n  line [5000, 6000, 7500, 8200, 9500, 10500]`,
  `xychart-beta\n  title "月度销售额"\n  x-axis ["一月", "二月", "三月"]\n  y-axis "万元" 0 --> 100\n  bar [50, 72, 90]`,
  `block-beta\n  columns 3\n  a["Front end"] b["API"] c[("Database")]\n  space down<["down"]>(down) space\n  d e f\n  a --> b`,
  `packet-beta\n  title UDP Packet\n  0-15: "Source Port"\n  16-31: "Destination Port"\n  32-47: "Length"\n  48-63: "Checksum"\n  64-95: "Data"`,
  `architecture-beta\n  group api(cloud)[API]\n  service db(database)[Database] in api\n  service disk1(disk)[Storage] in api\n  service server(server)[Server] in api\n  db:L -- R:server\n  disk1:T -- B:server`,
  `kanban\n  todo[To do]\n    t1[Write tests]\n    t2[Fix the build]@{ priority: 'High' }\n  doing[Doing]\n    t3[Review]\n  done[Done]\n    t4[Plan]`,
  `kanban\n  a[待办]\n    b[写文档]\n  c[进行中]\n    d[修复错误]`,
  `radar-beta\n  title Grades\n  axis m["Math"], s["Science"], e["English"], h["History"]\n  curve a["Alice"]{85, 90, 80, 70}\n  curve b["Bob"]{70, 75, 85, 80}\n  max 100`,
  `treemap-beta\n"Budget"\n  "Operations"\n    "Salaries": 700000\n    "Equipment": 200000\n  "Marketing"\n    "Advertising": 400000\n    "Events": 100000`,
  `treemap-beta\n"预算"\n  "人力": 60\n  "设备": 25\n  "其他": 15`,
  `sequenceDiagram\n  critical Connect\n    A->>B: connect\n  option Timeout\n    A->>A: log\n  end\n  break when it fails\n    B-->>A: error\n  end`,
  `---\ntitle: A titled one\nconfig:\n  look: handDrawn\n---\nflowchart LR\n  A --> B & C --> D\n  D -.->|maybe| A`,
  `%%{init: {"flowchart": {"curve": "linear"}}}%%\nflowchart TD\n  A[Christmas] -->|Get money| B(Go shopping)\n  B --> C{Let me think}\n  C -->|One| D[Laptop]\n  C -->|Two| E[iPhone]\n  C -->|Three| F[fa:fa-car Car]`,
  `flowchart RL\n${Array.from({ length: 25 }, (_, at) => `  P${at % 5}((P${at % 5})) --> Q${at}[Node ${at}]`).join('\n')}`,
]

/** With links: Mermaid's picture is HTML then, and no XML. */
export const linkedDiagrams: readonly string[] = [
  `graph TD;\n  A[🚀 Start] --> B(Check #35;1);\n  B --> C{"Value > 10 && ok?"};\n  click A "https://example.com" _blank`,
  `classDiagram\n  class Animal {\n    <<abstract>>\n    +speak()* void\n  }\n  Animal <|-- Dog : extends\n  click Dog href "https://example.com" "tip"`,
  `sequenceDiagram\n  Alice->>Bob: Hello Bob, how are you ?\n  create participant Carl\n  Alice->>Carl: Hi Carl!\n  destroy Carl\n  Alice-xCarl: We are too many\n  links Alice: {"Dashboard": "https://example.com"}`,
  `flowchart LR\n  A["first<br>second"] --> B["a&nbsp;b"]\n  click A href "https://example.com?a=1&b=2" "open it"`,
]

/** Diagrams that would block a frame, or are far larger than anyone reads. */
export const hostileDiagrams: readonly string[] = [
  `flowchart TD\n${Array.from({ length: 10_000 }, (_, at) => `a${at}-->a${at + 1}`).join('\n')}`,
  `flowchart TD\n${Array.from({ length: 2_025 }, (_, at) => `n${at % 45}-->n${Math.floor(at / 45)}`).join('\n')}`,
  `flowchart TD\n${Array.from({ length: 400 }, (_, at) => `subgraph s${at}`).join('\n')}\nA\n${'end\n'.repeat(400)}`,
  `gantt\n  dateFormat YYYY-MM-DD\n  axisFormat %S\n  tickInterval 1second\n  section S\n  A :a1, 1000-01-01, 3000-01-01`,
]
