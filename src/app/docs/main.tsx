/** The documentation: docs.html, a page of its own. It runs no code and stores nothing but the theme. */
import { createRoot } from 'react-dom/client'
import '../theme/tokens.css'
import '../theme/base.css'
import { applyTheme } from '../theme/theme_store'
import { TooltipProvider } from '../ui/Tooltip'
import { DocsApp } from './DocsApp'

applyTheme()
createRoot(document.getElementById('root')!).render(
  <TooltipProvider>
    <DocsApp />
  </TooltipProvider>,
)
