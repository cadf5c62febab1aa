/**
 * Starts the engine while the rest of the app loads, on a later visit. It has its own tag in the built page, before the app's
 * (scripts/vite/early_script.mjs). Other pages import code that this file shares with them and so evaluate it too: only the page
 * with the tag starts the engine.
 */
import { startEarly } from '../engine/worker/browser'

const startsHere = document.querySelector('script[data-early]') !== null
if (startsHere && !new URLSearchParams(location.search).has('embed')) startEarly()
