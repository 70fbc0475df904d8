import { accountPageZh } from './account-page'
import { accountsZh } from './accounts'
import { adminZh } from './admin'
import { argumentsZh } from './arguments'
import { artifactsZh } from './artifacts'
import { asksZh } from './asks'
import { attachZh } from './attach'
import { bringZh } from './bring'
import { branchZh } from './files-branch'
import { browserModelsZh } from './browser-models'
import { callProblemsZh } from './call-problems'
import { cardEditZh } from './card-edit'
import { cardEvidenceZh } from './card-evidence'
import { cardRunningZh } from './card-running'
import { cardStateZh } from './card-state'
import { cardWaitingZh } from './card-waiting'
import { batchZh } from './card-batch'
import { cardFilesZh } from './card-files'
import { cardFrameZh } from './card-frame'
import { gateZh } from './card-gate'
import { noCallZh } from './card-no-call'
import { settledZh } from './card-settled'
import { cardsZh } from './cards'
import { toolSummariesZh } from './tool-summaries'
import { changesZh } from './files-changes'
import { chatZh } from './chat'
import { listZh } from './chat-list'
import { deliveryZh } from './delivery'
import { configZh } from './config'
import { contextZh } from './context'
import { editorZh } from './file-editor'
import { chatSettingsZh } from './chat-settings'
import { commandsZh } from './commands'
import { exactZh } from './exact'
import { explainZh } from './explain'
import { explorerZh } from './files-explorer'
import { fileChangesZh } from './file-changes'
import { fileKindsZh } from './file-kinds'
import { panelZh } from './files-panel'
import { labZh } from './lab'
import { leavingZh } from './leaving'
import { grantsZh } from './grants'
import { importChatZh } from './import-chat'
import { limitsZh } from './limits'
import { llamaFormZh } from './llama-form'
import { marksZh } from './marks'
import { inspectorZh } from './inspector'
import { labPageZh } from './lab-page'
import { logZh } from './log'
import { mayRunZh } from './may-run'
import { modelsZh } from './models'
import { modelsDialogZh } from './models-dialog'
import { outZh } from './out'
import { notifyZh } from './notify'
import { offlineZh } from './offline'
import { pagesZh } from './pages'
import { pasteZh } from './paste'
import { pathsZh } from './paths'
import { playgroundZh } from './playground'
import { preferencesZh } from './preferences'
import { presetsZh } from './presets'
import { restoreZh } from './files-restore'
import { pickerZh } from './picker'
import { placeZh } from './place'
import { readingZh } from './reading'
import { readableZh } from './readable'
import { repairsZh } from './repairs'
import { runsZh } from './runs'
import { saidZh } from './said'
import { schemaFormZh } from './schema-form'
import { serverZh } from './server'
import { settingsZh } from './settings'
import { storeZh } from './store'
import { uiControlsZh } from './ui-controls'
import { uiViewsZh } from './ui-views'
import { unzipZh } from './files-unzip'
import { toolAboutsZh } from './tool-abouts'
import { toolToldZh } from './tool-told'
import { toolFactsZh } from './tool-facts'
import { threadPartsZh } from './thread-parts'
import { titleEditorZh } from './title-editor'
import { vfsZh } from './vfs'
import { viewerZh } from './files-viewer'
import { waitsZh } from './waits'
import { wllamaZh } from './wllama'
import { workspaceZh } from './workspace'
import { zipZh } from './zip'

/** All the rest: what parts that load on need say, and pages beside the chat. */
export const laterWords = {
  ...accountPageZh,
  ...accountsZh,
  ...adminZh,
  ...argumentsZh,
  ...artifactsZh,
  ...asksZh,
  ...attachZh,
  ...bringZh,
  ...branchZh,
  ...browserModelsZh,
  ...callProblemsZh,
  ...cardEditZh,
  ...cardEvidenceZh,
  ...cardRunningZh,
  ...cardStateZh,
  ...cardWaitingZh,
  ...batchZh,
  ...cardFilesZh,
  ...cardFrameZh,
  ...gateZh,
  ...noCallZh,
  ...settledZh,
  ...cardsZh,
  ...toolSummariesZh,
  ...changesZh,
  ...chatZh,
  ...configZh,
  ...contextZh,
  ...editorZh,
  ...chatSettingsZh,
  ...commandsZh,
  ...exactZh,
  ...explainZh,
  ...explorerZh,
  ...fileChangesZh,
  ...fileKindsZh,
  ...panelZh,
  ...grantsZh,
  ...importChatZh,
  ...labZh,
  ...leavingZh,
  ...listZh,
  ...deliveryZh,
  ...limitsZh,
  ...llamaFormZh,
  ...marksZh,
  ...inspectorZh,
  ...labPageZh,
  ...logZh,
  ...mayRunZh,
  ...modelsZh,
  ...modelsDialogZh,
  ...outZh,
  ...notifyZh,
  ...offlineZh,
  ...pagesZh,
  ...pasteZh,
  ...pathsZh,
  ...readableZh,
  ...playgroundZh,
  ...preferencesZh,
  ...presetsZh,
  ...restoreZh,
  ...pickerZh,
  ...placeZh,
  ...readingZh,
  ...repairsZh,
  ...runsZh,
  ...saidZh,
  ...schemaFormZh,
  ...serverZh,
  ...settingsZh,
  ...storeZh,
  ...uiControlsZh,
  ...uiViewsZh,
  ...unzipZh,
  ...toolAboutsZh,
  ...toolToldZh,
  ...toolFactsZh,
  ...threadPartsZh,
  ...titleEditorZh,
  ...vfsZh,
  ...viewerZh,
  ...waitsZh,
  ...wllamaZh,
  ...workspaceZh,
  ...zipZh,
}
