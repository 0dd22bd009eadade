/**
 * The page's icons, each imported separately; always beside a word, or on a button with a label.
 */
import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowUp from "lucide-react/icons/arrow-up";
import Check from "lucide-react/icons/check";
import ChevronDown from "lucide-react/icons/chevron-down";
import ChevronLeft from "lucide-react/icons/chevron-left";
import ChevronRight from "lucide-react/icons/chevron-right";
import CircleAlert from "lucide-react/icons/circle-alert";
import CodeXml from "lucide-react/icons/code-xml";
import Copy from "lucide-react/icons/copy";
import CircleQuestionMark from "lucide-react/icons/circle-question-mark";
import Monitor from "lucide-react/icons/monitor";
import Ellipsis from "lucide-react/icons/ellipsis";
import EqualApproximately from "lucide-react/icons/equal-approximately";
import FileUp from "lucide-react/icons/file-up";
import GripVertical from "lucide-react/icons/grip-vertical";
import LayoutPanelLeft from "lucide-react/icons/layout-panel-left";
import Maximize2 from "lucide-react/icons/maximize-2";
import Moon from "lucide-react/icons/moon";
import Pause from "lucide-react/icons/pause";
import Play from "lucide-react/icons/play";
import Pencil from "lucide-react/icons/pencil";
import Plus from "lucide-react/icons/plus";
import Redo2 from "lucide-react/icons/redo-2";
import RotateCcw from "lucide-react/icons/rotate-ccw";
import Scissors from "lucide-react/icons/scissors";
import Search from "lucide-react/icons/search";
import SlidersHorizontal from "lucide-react/icons/sliders-horizontal";
import Share from "lucide-react/icons/share";
import StepForward from "lucide-react/icons/step-forward";
import Sun from "lucide-react/icons/sun";
import Trash2 from "lucide-react/icons/trash-2";
import Undo2 from "lucide-react/icons/undo-2";
import X from "lucide-react/icons/x";

const ICONS = {
  back: ChevronLeft,
  next: ChevronRight,
  check: Check,
  chevron: ChevronDown,
  code: CodeXml,
  copy: Copy,
  down: ArrowDown,
  pencil: Pencil,
  redo: Redo2,
  trash: Trash2,
  undo: Undo2,
  up: ArrowUp,
  alert: CircleAlert,
  close: X,
  equal: EqualApproximately,
  expand: Maximize2,
  file: FileUp,
  grip: GripVertical,
  help: CircleQuestionMark,
  monitor: Monitor,
  more: Ellipsis,
  options: SlidersHorizontal,
  moon: Moon,
  panels: LayoutPanelLeft,
  pause: Pause,
  play: Play,
  plus: Plus,
  reset: RotateCcw,
  scissors: Scissors,
  search: Search,
  share: Share,
  step: StepForward,
  sun: Sun,
} as const;

export type IconName = keyof typeof ICONS;

const FILLED: readonly IconName[] = ["play", "pause"];

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  const Drawn = ICONS[name];
  const fill = FILLED.includes(name) ? "currentColor" : "none";
  return <Drawn className="icon" size={size} strokeWidth={1.6} fill={fill} aria-hidden />;
}
