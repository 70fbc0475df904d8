import { expect, it } from 'vitest'
import { diagramName } from './drawn-diagram'

it.each([
  ['flowchart TD\n A --> B', 'Diagram, flowchart'],
  ['%% a remark\nsequenceDiagram\n A->>B: x', 'Diagram, sequenceDiagram'],
  ['pie title Pets at home\n "Cats": 3', 'Diagram, pie: Pets at home'],
  ['gantt\n  title A plan\n section S', 'Diagram, gantt: A plan'],
  ['---\ntitle: The whole\n---\nflowchart LR\n A', 'Diagram, flowchart: The whole'],
  ['%%{init: {"theme": "dark"}}%%\nstateDiagram-v2\n [*] --> A', 'Diagram, stateDiagram-v2'],
  ['', 'Diagram, mermaid'],
])('%j is called %j', (source, name) => expect(diagramName(source)).toBe(name))
