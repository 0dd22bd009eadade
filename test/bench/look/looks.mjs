// How a page is looked at: windows, by day and night, and what readers set in their system.

const desk = { width: 1440, height: 900 };

/** Of which pictures are kept. */
export const KEPT_LOOKS = {
  light: { viewport: desk, colorScheme: "light" },
  dark: { viewport: desk, colorScheme: "dark" },
  phone: {
    viewport: { width: 390, height: 844 },
    colorScheme: "light",
    isMobile: true,
    hasTouch: true,
  },
  // 1920 x 1080 with letters a third larger, as one zooms in a hall.
  projector: {
    viewport: { width: 1440, height: 810 },
    deviceScaleFactor: 4 / 3,
    colorScheme: "light",
  },
};

/** Of scenes whose mock is another window: a projector of 1920 by 1080, where type is larger by a third. */
export const SCENE_LOOKS = {
  lens: {
    projector: {
      viewport: { width: 1440, height: 810 },
      deviceScaleFactor: 4 / 3,
      colorScheme: "light",
    },
  },
};

/** All others in which nothing may be cut off or unreadable. */
export const LOOKS = {
  ...KEPT_LOOKS,
  narrow: {
    viewport: { width: 320, height: 640 },
    colorScheme: "dark",
    isMobile: true,
    hasTouch: true,
  },
  beamer: { viewport: { width: 1024, height: 768 }, colorScheme: "light" },
  zoomed: { viewport: { width: 720, height: 450 }, colorScheme: "light", deviceScaleFactor: 2 },
  forced: { viewport: desk, colorScheme: "dark", forcedColors: "active" },
};
