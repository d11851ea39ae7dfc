"""What the keywords of functions mean. Made by stubs.py."""

KEYWORDS = {
    "align": """\
    Keywords, the flags of `mapjudge align`:

    * method: How the transform is found: correlative, rooms, features, surf, fourier-mellin, points with
      points, or fiducials with layout
    * points: CSV of places that a person clicked in both: x and y in the map, x and y in the truth, in metres
    * layout: Layout of the fiducials, in the coordinate frame of the truth
    * annotations: What is written on the map: victims, paths, labels; shown as layers
    * truth_annotations: What is written on the truth; shown as layers
    * frame: Transform file to begin with
    * scale_min: Min. scale of the map that is tried (1)
    * scale_max: Max. scale of the map that is tried (1)
    * align_tol: Distance at which a wall counts as missed (0.3, or 1.5 % of the truth's diagonal if a scale
      is searched)
    * origin: Lower left corner: metres, metres, radians
    * occupied_thresh: Occupied above this probability (the file's, else 0.65)
    * free_thresh: Free below this probability (the file's, else 0.196)
    * negate: Bright means occupied
    * treat_205_as_unknown: Grey 205, which map savers write for unknown, is unknown whatever the thresholds
      are
    * ignore_alpha: Do not average an alpha channel in with the colours
    * scale: How `mode: scale` is read: the ratio, or the percent that a ROS server publishes
    * palette: Palette of colour images: auto, off (their mean counts) or a name (auto)
    * palette_tolerance: Maximal difference in a channel at which a pixel still has a colour of the palette
      (the palette's)
    * lenient_colours: Foreign colours in a navigation layer are unknown instead of an error
    * grey_is_uncleared: Grey in a navigation layer means explored and not cleared
    * pixels_per_cell: Pixels along the edge of a map cell in an image of the rescue league
    * topic: Topic of a bag to read; for transforms, such as /tf:odom.base_link. 'mapjudge info' lists the
      topics
    * map_resolution: Edge of a cell of the maps in metres; resolution is for every file that states none
    * truth_resolution: Edge of a cell of the truth in metres
    * map_origin: Origin of the maps: lower-left corner in metres, yaw in radians; origin goes over the maps
      and the truth
    * truth_origin: Origin of the truth
    * force: A resolution that is given goes over the one that a file states; without it the two must agree
    * overwrite: Replace files of the folder that are there already
    * out: Also write alignment.json and the figures before and after into this folder; with by-hand the file
      that the page saves to, or the folder for several maps (frame.json, frames)
    * seed: Seed of everything random; the same seed gives the same result (1)
    * threads: So many threads for this call alone; 0 is one per core""",
    "ape": """\
    Keywords, the flags of `mapjudge traj`:

    * truth_topic: Topic of the truth, if it is a bag (that of topic)
    * relations: True displacements: rows of t1 t2 x y z roll pitch yaw
    * regions: Where the robot was when: rows of from_s,to_s,region[,ground]
    * odometry: Odometry of the run, for associate filled
    * map: A map to draw the paths on
    * job: TOML file with the same choices as these flags; `mapjudge help job` describes it
    * pose_columns: What the columns of a pose log are
    * topic: Topic of a bag to read; for transforms, such as /tf:odom.base_link. 'mapjudge info' lists the
      topics
    * fov_deg: Degrees from the first to the last beam, for logs that do not state it (by the number of beams)
    * max_range: Ranges from here on are no returns, for logs that do not state it (from the ranges)
    * usarsim_frame: Axes of poses in messages of USARSim: z down and yaw clockwise, or as in ROS
    * scan_direction: Order of the ranges in scans of USARSim
    * max_bad: Share of broken lines above which a message log is refused (0.01)
    * records: Records of a log whose poses are taken: odom, flaser, rlaser, robotlaser, truepos (scans)
    * skip_bad: Leave out up to so many faulty rows instead of stopping at the first (0)
    * associate: How a pose is looked up by its timestamp (nearest; index where a file has no times)
    * max_dt: Max. time difference of `nearest` (0.05)
    * max_gap: Max. gap that is interpolated, and that counts as covered (1)
    * fill: How `filled` fills: the odometry since the last pose, or with the correction spread (chain)
    * time_offset: Added to the times of the estimates (0)
    * estimate_offset: Estimate the offset between the clocks, within so many seconds, from how the runs move
    * t_start: Leave out the truth before this timestamp
    * t_end: Leave out the truth behind this timestamp
    * downsample: Take at most so many poses of each trajectory, evenly spaced
    * motion_filter: Take a pose when the robot has moved so far, or turned so far, since the last one taken
    * project: Compare poses in a plane, after the fit
    * align: What the fit of an estimate to the truth may move, for ATE (auto)
    * align_first: Fit with the first poses only
    * weight: What an error counts for, for ATE (pose)
    * delta: How far apart the poses of a pair are, for RPE (1f)
    * pairs: Which pairs are taken, for RPE (consecutive)
    * relation_error: Which product is the error of a relation (left)
    * order: In which direction a relation is read (forward)
    * relation_time: When the error of a relation is drawn and clustered: at its second time or in the middle
      (end)
    * metrics: Ids and families to compute, with commas; `mapjudge metrics` lists both (all that apply)
    * set: A parameter of a metric; may be repeated
    * min_coverage: Coverage below which a run is listed but not ranked, 0 to 1 (0.8)
    * rank_by: The metric that ranks (ate_translation, without a truth relative_displacement)
    * resamples: Resamples of the bootstrap behind intervals and tests (1000)
    * limits: File of rules such as `overall_error <= 5000` or `ate_translation <= 0.05`; one missed makes the
      exit code 1
    * baseline: Earlier JSON report; a value that got worse makes the exit code 1
    * baseline_tolerance: Relative change that still counts as the same (1e-9)
    * digits: Digits after the point in md and latex (five significant digits)
    * unit: Units of lengths and angles in md and latex, with commas (m,deg)
    * transpose: Swap rows and columns in md and latex
    * name: Show a run or map under another name; may be repeated
    * overwrite: Replace files of the folder that are there already
    * out: Also write report.json, report.html, errors.csv and the figures (SVG and PDF) into this folder
    * seed: Seed of everything random; the same seed gives the same result (1)
    * threads: So many threads for this call alone; 0 is one per core""",
    "arena.build": """\
    Keywords, the flags of `mapjudge arena build`:

    * overwrite: Replace files of the folder that are there already
    * seed: Seed of everything random; the same seed gives the same result (1)
    * threads: So many threads for this call alone; 0 is one per core""",
    "arena.random": """\
    Keywords, the flags of `mapjudge arena random`:

    * kind: What to draw
    * width: Width in metres (15 for a maze, 40 for an office)
    * height: Height in metres (10 for a maze, 24 for an office)
    * pallet: Side of a pallet of the maze in metres
    * loops: Share of the maze's inner walls that is opened to make loops, 0 to 1
    * ramps: Share of the maze's pallets that are ramps of 10 degrees, 0 to 1; about 0.4 can be
    * steep: Ramps of 15 degrees: their tops lie above a scanner at 0.3 m
    * overwrite: Replace files of the folder that are there already
    * seed: Seed of everything random; the same seed gives the same result (1)
    * threads: So many threads for this call alone; 0 is one per core""",
    "compare": """\
    Keywords, the flags of `mapjudge compare`:

    * annotations_a: What is written on the first map: MIF/MID or GeoJSON layers named after their kind
      (victims, robot_path, ..), detection lists, a trajectory as robot path
    * annotations_b: What is written on the second map
    * truth_annotations: What is written on the truth, in the same formats; adds the metrics of annotations
      and victims
    * origin: Lower left corner: metres, metres, radians
    * occupied_thresh: Occupied above this probability (the file's, else 0.65)
    * free_thresh: Free below this probability (the file's, else 0.196)
    * negate: Bright means occupied
    * treat_205_as_unknown: Grey 205, which map savers write for unknown, is unknown whatever the thresholds
      are
    * ignore_alpha: Do not average an alpha channel in with the colours
    * scale: How `mode: scale` is read: the ratio, or the percent that a ROS server publishes
    * palette: Palette of colour images: auto, off (their mean counts) or a name (auto)
    * palette_tolerance: Maximal difference in a channel at which a pixel still has a colour of the palette
      (the palette's)
    * lenient_colours: Foreign colours in a navigation layer are unknown instead of an error
    * grey_is_uncleared: Grey in a navigation layer means explored and not cleared
    * pixels_per_cell: Pixels along the edge of a map cell in an image of the rescue league
    * topic: Topic of a bag to read; for transforms, such as /tf:odom.base_link. 'mapjudge info' lists the
      topics
    * map_resolution: Edge of a cell of the maps in metres; resolution is for every file that states none
    * truth_resolution: Edge of a cell of the truth in metres
    * map_origin: Origin of the maps: lower-left corner in metres, yaw in radians; origin goes over the maps
      and the truth
    * truth_origin: Origin of the truth
    * force: A resolution that is given goes over the one that a file states; without it the two must agree
    * scale_min: Min. scale of the map that is tried (1)
    * scale_max: Max. scale of the map that is tried (1)
    * align_tol: Distance at which a wall counts as missed (0.3, or 1.5 % of the truth's diagonal if a scale
      is searched)
    * align: How maps come into the coordinate frame of the truth: `georeference` takes the origins of both,
      and searches as `auto` does if one has none; `none` takes origins as read and (0, 0, 0) where absent;
      `fiducials` uses the barrels of layout; `auto` or the name of a method searches; `X,Y,DEG` or
      `X,Y,DEG,SCALE` moves the map by metres, degrees and a factor; anything else is a transform file as
      `mapjudge align` prints it (georeference)
    * accept_ambiguous: Compute scores also under an alignment that is not certain; every value then carries a
      warning
    * window: Which cells are compared (truth)
    * resample: How a map comes onto the cells of the truth (occupied-wins)
    * metrics: Ids and families to compute, with commas; `mapjudge metrics` lists both (all that apply)
    * set: A parameter of a metric; may be repeated
    * robot_radius: Radius of the robot in metres (0.25)
    * start: Where it starts (the widest place of the truth's graph)
    * target: Where it should get to; may be repeated (the nodes of the truth's graph)
    * random_targets: This many random places as targets instead
    * despeckle: Occupied groups of fewer cells count as free (0)
    * thinning: How free space is thinned to lines (distance)
    * prune_min: Dead ends shorter than this are left out of the graph (0)
    * prune_factor: Dead ends shorter than this many times the clearance of their junction are left out (1)
    * snap: How far a start or end that is not traversable may be moved (the radius, at least a cell)
    * overwrite: Replace files of the folder that are there already
    * out: Also write compare.json, compare.html, report.json, report.html and the figures into this folder
    * seed: Seed of everything random; the same seed gives the same result (1)
    * threads: So many threads for this call alone; 0 is one per core""",
    "consensus": """\
    Keywords, the flags of `mapjudge consensus`:

    * origin: Lower left corner: metres, metres, radians
    * occupied_thresh: Occupied above this probability (the file's, else 0.65)
    * free_thresh: Free below this probability (the file's, else 0.196)
    * negate: Bright means occupied
    * treat_205_as_unknown: Grey 205, which map savers write for unknown, is unknown whatever the thresholds
      are
    * ignore_alpha: Do not average an alpha channel in with the colours
    * scale: How `mode: scale` is read: the ratio, or the percent that a ROS server publishes
    * palette: Palette of colour images: auto, off (their mean counts) or a name (auto)
    * palette_tolerance: Maximal difference in a channel at which a pixel still has a colour of the palette
      (the palette's)
    * lenient_colours: Foreign colours in a navigation layer are unknown instead of an error
    * grey_is_uncleared: Grey in a navigation layer means explored and not cleared
    * pixels_per_cell: Pixels along the edge of a map cell in an image of the rescue league
    * topic: Topic of a bag to read; for transforms, such as /tf:odom.base_link. 'mapjudge info' lists the
      topics
    * force: A resolution that is given goes over the one that a file states; without it the two must agree
    * metrics: Ids and families to compute, with commas; `mapjudge metrics` lists both (all that apply)
    * set: A parameter of a metric; may be repeated
    * overwrite: Replace files of the folder that are there already
    * out: Also write consensus.yaml, report.json, report.html and the figures into this folder
    * seed: Seed of everything random; the same seed gives the same result (1)
    * threads: So many threads for this call alone; 0 is one per core""",
    "contest": """\
    Keywords, the flags of `mapjudge contest`:

    * resamples: Resamples behind the certainty of the order; 0 for none
    * no_figures: Draw no figures
    * no_cache: Measure every submission anew, and keep nothing in the folder of out for the next run
    * stamp: A time or any other words for the pages; without it nothing in the output depends on the clock
    * overwrite: Replace files of the folder that are there already
    * out: Write ranking, overview, score sheets, reports and appeal bundles into this folder
    * seed: Seed of everything random; the same seed gives the same result (1)
    * threads: So many threads for this call alone; 0 is one per core""",
    "convert": """\
    Keywords, the flags of `mapjudge convert`:

    * lossy: Go on even if the format of OUT cannot hold everything
    * background: What the cells of a vector map are where it has no line
    * force: Replace OUT if it is there already, and let resolution go over the one that IN states
    * resolution: Edge of a cell in metres, for files that state none
    * origin: Lower left corner: metres, metres, radians
    * occupied_thresh: Occupied above this probability (the file's, else 0.65)
    * free_thresh: Free below this probability (the file's, else 0.196)
    * negate: Bright means occupied
    * treat_205_as_unknown: Grey 205, which map savers write for unknown, is unknown whatever the thresholds
      are
    * ignore_alpha: Do not average an alpha channel in with the colours
    * scale: How `mode: scale` is read: the ratio, or the percent that a ROS server publishes
    * palette: Palette of colour images: auto, off (their mean counts) or a name (auto)
    * palette_tolerance: Maximal difference in a channel at which a pixel still has a colour of the palette
      (the palette's)
    * lenient_colours: Foreign colours in a navigation layer are unknown instead of an error
    * grey_is_uncleared: Grey in a navigation layer means explored and not cleared
    * pixels_per_cell: Pixels along the edge of a map cell in an image of the rescue league
    * pose_columns: What the columns of a pose log are
    * topic: Topic of a bag to read; for transforms, such as /tf:odom.base_link. 'mapjudge info' lists the
      topics
    * fov_deg: Degrees from the first to the last beam, for logs that do not state it (by the number of beams)
    * max_range: Ranges from here on are no returns, for logs that do not state it (from the ranges)
    * usarsim_frame: Axes of poses in messages of USARSim: z down and yaw clockwise, or as in ROS
    * scan_direction: Order of the ranges in scans of USARSim
    * max_bad: Share of broken lines above which a message log is refused (0.01)
    * seed: Seed of everything random; the same seed gives the same result (1)
    * threads: So many threads for this call alone; 0 is one per core""",
    "explore": """\
    Keywords, the flags of `mapjudge explore`:

    * resolution: Edge of a cell in metres, for files that state none
    * origin: Lower left corner: metres, metres, radians
    * occupied_thresh: Occupied above this probability (the file's, else 0.65)
    * free_thresh: Free below this probability (the file's, else 0.196)
    * negate: Bright means occupied
    * treat_205_as_unknown: Grey 205, which map savers write for unknown, is unknown whatever the thresholds
      are
    * ignore_alpha: Do not average an alpha channel in with the colours
    * scale: How `mode: scale` is read: the ratio, or the percent that a ROS server publishes
    * palette: Palette of colour images: auto, off (their mean counts) or a name (auto)
    * palette_tolerance: Maximal difference in a channel at which a pixel still has a colour of the palette
      (the palette's)
    * lenient_colours: Foreign colours in a navigation layer are unknown instead of an error
    * grey_is_uncleared: Grey in a navigation layer means explored and not cleared
    * pixels_per_cell: Pixels along the edge of a map cell in an image of the rescue league
    * topic: Topic of a bag to read; for transforms, such as /tf:odom.base_link. 'mapjudge info' lists the
      topics
    * force: A resolution that is given goes over the one that a file states; without it the two must agree
    * robots: Number of robots (1)
    * start: Start of the first robot in metres and radians (that of the arena)
    * robot_radius: Radius of a robot in metres (0.2)
    * laser_fov_deg: Field of view of the laser in degrees (240)
    * laser_beams: Beams of the laser (668)
    * laser_range: Range of the laser in metres (5.6)
    * baseline: Also run the nearest-frontier explorer from the same start
    * choice: Choose by the transform or always the nearest frontier
    * alpha: Weight of discomfort against length (0.03)
    * d_min: Min. distance to walls in metres (0.25)
    * d_opt: Most comfortable distance to walls in metres (0.75)
    * replan: Driven before planning again, in metres (1)
    * max_time: End of the run in seconds (1200)
    * max_distance: End of the run in metres driven by all robots
    * overwrite: Replace files of the folder that are there already
    * out: Also write the page index.html, the map, exploration.json and figures into this folder
    * seed: Seed of everything random; the same seed gives the same result (1)
    * threads: So many threads for this call alone; 0 is one per core""",
    "fiducials": """\
    Keywords, the flags of `mapjudge fiducials`:

    * layout: Where the fiducials stand: TOML or CSV, see `mapjudge help fiducials`
    * align: How maps lie on the layout
    * objective: What the best assignment is: `cost` or `coverage` (cost)
    * d_max: Max. distance of a part from its place in metres (one diameter)
    * displaced: What becomes of a part further than that from its place: `capped` counts it as found with the
      largest error, as published; `missing` as not found (capped)
    * reach: How far from its place a displaced part is looked for, in metres (five times d-max)
    * origin: Lower left corner: metres, metres, radians
    * occupied_thresh: Occupied above this probability (the file's, else 0.65)
    * free_thresh: Free below this probability (the file's, else 0.196)
    * negate: Bright means occupied
    * treat_205_as_unknown: Grey 205, which map savers write for unknown, is unknown whatever the thresholds
      are
    * ignore_alpha: Do not average an alpha channel in with the colours
    * scale: How `mode: scale` is read: the ratio, or the percent that a ROS server publishes
    * palette: Palette of colour images: auto, off (their mean counts) or a name (auto)
    * palette_tolerance: Maximal difference in a channel at which a pixel still has a colour of the palette
      (the palette's)
    * lenient_colours: Foreign colours in a navigation layer are unknown instead of an error
    * grey_is_uncleared: Grey in a navigation layer means explored and not cleared
    * pixels_per_cell: Pixels along the edge of a map cell in an image of the rescue league
    * topic: Topic of a bag to read; for transforms, such as /tf:odom.base_link. 'mapjudge info' lists the
      topics
    * force: A resolution that is given goes over the one that a file states; without it the two must agree
    * metrics: Ids and families to compute, with commas; `mapjudge metrics` lists both (all that apply)
    * set: A parameter of a metric; may be repeated
    * limits: File of rules such as `overall_error <= 5000` or `ate_translation <= 0.05`; one missed makes the
      exit code 1
    * baseline: Earlier JSON report; a value that got worse makes the exit code 1
    * baseline_tolerance: Relative change that still counts as the same (1e-9)
    * out: Also write report.json, report.html and the figures into this folder
    * overwrite: Replace files of the folder that are there already
    * seed: Seed of everything random; the same seed gives the same result (1)
    * threads: So many threads for this call alone; 0 is one per core""",
    "graph": """\
    Keywords, the flags of `mapjudge graph`:

    * origin: Lower left corner: metres, metres, radians
    * occupied_thresh: Occupied above this probability (the file's, else 0.65)
    * free_thresh: Free below this probability (the file's, else 0.196)
    * negate: Bright means occupied
    * treat_205_as_unknown: Grey 205, which map savers write for unknown, is unknown whatever the thresholds
      are
    * ignore_alpha: Do not average an alpha channel in with the colours
    * scale: How `mode: scale` is read: the ratio, or the percent that a ROS server publishes
    * palette: Palette of colour images: auto, off (their mean counts) or a name (auto)
    * palette_tolerance: Maximal difference in a channel at which a pixel still has a colour of the palette
      (the palette's)
    * lenient_colours: Foreign colours in a navigation layer are unknown instead of an error
    * grey_is_uncleared: Grey in a navigation layer means explored and not cleared
    * pixels_per_cell: Pixels along the edge of a map cell in an image of the rescue league
    * topic: Topic of a bag to read; for transforms, such as /tf:odom.base_link. 'mapjudge info' lists the
      topics
    * force: A resolution that is given goes over the one that a file states; without it the two must agree
    * robot_radius: Radius of the robot in metres (0.25)
    * start: Where it starts (the widest place of the truth's graph)
    * target: Where it should get to; may be repeated (the nodes of the truth's graph)
    * random_targets: This many random places as targets instead
    * despeckle: Occupied groups of fewer cells count as free (0)
    * thinning: How free space is thinned to lines (distance)
    * prune_min: Dead ends shorter than this are left out of the graph (0)
    * prune_factor: Dead ends shorter than this many times the clearance of their junction are left out (1)
    * snap: How far a start or end that is not traversable may be moved (the radius, at least a cell)
    * overwrite: Replace files of the folder that are there already
    * out: Also write figure, GeoJSON, MIF, GraphML and JSON into this folder
    * seed: Seed of everything random; the same seed gives the same result (1)
    * threads: So many threads for this call alone; 0 is one per core""",
    "info": """\
    Keywords, the flags of `mapjudge info`:

    * effort: Time and effort of runs instead: duration, distance, scans, area seen over time
    * resolution: Edge of a cell in metres, for files that state none
    * origin: Lower left corner: metres, metres, radians
    * occupied_thresh: Occupied above this probability (the file's, else 0.65)
    * free_thresh: Free below this probability (the file's, else 0.196)
    * negate: Bright means occupied
    * treat_205_as_unknown: Grey 205, which map savers write for unknown, is unknown whatever the thresholds
      are
    * ignore_alpha: Do not average an alpha channel in with the colours
    * scale: How `mode: scale` is read: the ratio, or the percent that a ROS server publishes
    * palette: Palette of colour images: auto, off (their mean counts) or a name (auto)
    * palette_tolerance: Maximal difference in a channel at which a pixel still has a colour of the palette
      (the palette's)
    * lenient_colours: Foreign colours in a navigation layer are unknown instead of an error
    * grey_is_uncleared: Grey in a navigation layer means explored and not cleared
    * pixels_per_cell: Pixels along the edge of a map cell in an image of the rescue league
    * pose_columns: What the columns of a pose log are
    * topic: Topic of a bag to read; for transforms, such as /tf:odom.base_link. 'mapjudge info' lists the
      topics
    * fov_deg: Degrees from the first to the last beam, for logs that do not state it (by the number of beams)
    * max_range: Ranges from here on are no returns, for logs that do not state it (from the ranges)
    * usarsim_frame: Axes of poses in messages of USARSim: z down and yaw clockwise, or as in ROS
    * scan_direction: Order of the ranges in scans of USARSim
    * max_bad: Share of broken lines above which a message log is refused (0.01)
    * force: A resolution that is given goes over the one that a file states; without it the two must agree
    * seed: Seed of everything random; the same seed gives the same result (1)
    * threads: So many threads for this call alone; 0 is one per core""",
    "lint": """\
    Keywords, the flags of `mapjudge lint`:

    * profile: Rules to apply: general, ros-map, virtual-league-2008, rescue-league or trajectory (general)
    * force: Replace a file that is there already
    * list: List all findings and end
    * resolution: Edge of a cell in metres, for files that state none
    * origin: Lower left corner: metres, metres, radians
    * occupied_thresh: Occupied above this probability (the file's, else 0.65)
    * free_thresh: Free below this probability (the file's, else 0.196)
    * negate: Bright means occupied
    * treat_205_as_unknown: Grey 205, which map savers write for unknown, is unknown whatever the thresholds
      are
    * ignore_alpha: Do not average an alpha channel in with the colours
    * scale: How `mode: scale` is read: the ratio, or the percent that a ROS server publishes
    * palette: Palette of colour images: auto, off (their mean counts) or a name (auto)
    * palette_tolerance: Maximal difference in a channel at which a pixel still has a colour of the palette
      (the palette's)
    * lenient_colours: Foreign colours in a navigation layer are unknown instead of an error
    * grey_is_uncleared: Grey in a navigation layer means explored and not cleared
    * pixels_per_cell: Pixels along the edge of a map cell in an image of the rescue league
    * pose_columns: What the columns of a pose log are
    * topic: Topic of a bag to read; for transforms, such as /tf:odom.base_link. 'mapjudge info' lists the
      topics
    * fov_deg: Degrees from the first to the last beam, for logs that do not state it (by the number of beams)
    * max_range: Ranges from here on are no returns, for logs that do not state it (from the ranges)
    * usarsim_frame: Axes of poses in messages of USARSim: z down and yaw clockwise, or as in ROS
    * scan_direction: Order of the ranges in scans of USARSim
    * max_bad: Share of broken lines above which a message log is refused (0.01)
    * seed: Seed of everything random; the same seed gives the same result (1)
    * threads: So many threads for this call alone; 0 is one per core""",
    "map_log": """\
    Keywords, the flags of `mapjudge map`:

    * odometry_topic: Topic of the bag that has the odometry, such as /odom or /tf:odom.base_link, or none;
      topic names the scans (the only ones)
    * laser_mount: Where the laser sits on the robot, metres and degrees, for logs that do not tell it (from a
      bag's tf)
    * from_: Map what a USARSim server or a replay sends: tcp://HOST:PORT or HOST:PORT
    * duration: End a live run after so many seconds, also inside of a step; what is left to do after the last
      scan may take a tenth of it more (when the server closes)
    * wait: For so long a server that is not there yet is tried, seconds
    * no_init: Do not send INIT to the server
    * list_settings: Print the parameters of the mapper with their defaults, and end
    * overwrite: Replace files of the folder that are there already
    * snapshot_every: Write map and pose after each S seconds of the run: live.png, snapshots.csv and maps in
      snapshots/
    * strict: Only a map that its self-check calls sound is good enough: a doubtful or broken one gives exit
      code 1
    * final: The trajectory as it is known after the last scan
    * online: The trajectory as it was known when each scan came
    * set: A parameter of the mapper; may be given many times. list-settings lists them
    * params: Parameters of the mapper in a TOML file; set goes before it
    * pose_columns: What the columns of a pose log are
    * topic: Topic of a bag to read; for transforms, such as /tf:odom.base_link. 'mapjudge info' lists the
      topics
    * fov_deg: Degrees from the first to the last beam, for logs that do not state it (by the number of beams)
    * max_range: Ranges from here on are no returns, for logs that do not state it (from the ranges)
    * usarsim_frame: Axes of poses in messages of USARSim: z down and yaw clockwise, or as in ROS
    * scan_direction: Order of the ranges in scans of USARSim
    * max_bad: Share of broken lines above which a message log is refused (0.01)
    * seed: Seed of everything random; the same seed gives the same result (1)
    * threads: So many threads for this call alone; 0 is one per core""",
    "paths": """\
    Keywords, the flags of `mapjudge paths`:

    * origin: Lower left corner: metres, metres, radians
    * occupied_thresh: Occupied above this probability (the file's, else 0.65)
    * free_thresh: Free below this probability (the file's, else 0.196)
    * negate: Bright means occupied
    * treat_205_as_unknown: Grey 205, which map savers write for unknown, is unknown whatever the thresholds
      are
    * ignore_alpha: Do not average an alpha channel in with the colours
    * scale: How `mode: scale` is read: the ratio, or the percent that a ROS server publishes
    * palette: Palette of colour images: auto, off (their mean counts) or a name (auto)
    * palette_tolerance: Maximal difference in a channel at which a pixel still has a colour of the palette
      (the palette's)
    * lenient_colours: Foreign colours in a navigation layer are unknown instead of an error
    * grey_is_uncleared: Grey in a navigation layer means explored and not cleared
    * pixels_per_cell: Pixels along the edge of a map cell in an image of the rescue league
    * topic: Topic of a bag to read; for transforms, such as /tf:odom.base_link. 'mapjudge info' lists the
      topics
    * map_resolution: Edge of a cell of the maps in metres; resolution is for every file that states none
    * truth_resolution: Edge of a cell of the truth in metres
    * map_origin: Origin of the maps: lower-left corner in metres, yaw in radians; origin goes over the maps
      and the truth
    * truth_origin: Origin of the truth
    * force: A resolution that is given goes over the one that a file states; without it the two must agree
    * align: How maps come into the coordinate frame of the truth: `georeference` takes the origins of both,
      and searches as `auto` does if one has none; `none` takes origins as read and (0, 0, 0) where absent;
      `fiducials` uses the barrels of layout; `auto` or the name of a method searches; `X,Y,DEG` or
      `X,Y,DEG,SCALE` moves the map by metres, degrees and a factor; anything else is a transform file as
      `mapjudge align` prints it (georeference)
    * accept_ambiguous: Compute scores also under an alignment that is not certain; every value then carries a
      warning
    * window: Which cells are compared (truth)
    * resample: How a map comes onto the cells of the truth (occupied-wins)
    * metrics: Ids and families to compute, with commas; `mapjudge metrics` lists both (all that apply)
    * set: A parameter of a metric; may be repeated
    * robot_radius: Radius of the robot in metres (0.25)
    * start: Where it starts (the widest place of the truth's graph)
    * target: Where it should get to; may be repeated (the nodes of the truth's graph)
    * random_targets: This many random places as targets instead
    * despeckle: Occupied groups of fewer cells count as free (0)
    * thinning: How free space is thinned to lines (distance)
    * prune_min: Dead ends shorter than this are left out of the graph (0)
    * prune_factor: Dead ends shorter than this many times the clearance of their junction are left out (1)
    * snap: How far a start or end that is not traversable may be moved (the radius, at least a cell)
    * out: Also write report.json, report.html and the figures into this folder
    * overwrite: Replace files of the folder that are there already
    * seed: Seed of everything random; the same seed gives the same result (1)
    * threads: So many threads for this call alone; 0 is one per core""",
    "points": """\
    Keywords, the flags of `mapjudge points`:

    * profile: Rules: rrl-2024 or rrl-2025
    * frame: Whether the coordinate frame of the submission is searched (`fitted`) or that of the truth
      (`given`) (fitted)
    * set: A rule, such as scoring_threshold=1.0; `mapjudge metrics point_score` lists them
    * limits: File of rules such as `overall_error <= 5000` or `ate_translation <= 0.05`; one missed makes the
      exit code 1
    * baseline: Earlier JSON report; a value that got worse makes the exit code 1
    * baseline_tolerance: Relative change that still counts as the same (1e-9)
    * overwrite: Replace files of the folder that are there already
    * out: Also write points.json, report.json, report.html and the figure into this folder
    * seed: Seed of everything random; the same seed gives the same result (1)
    * threads: So many threads for this call alone; 0 is one per core""",
    "portals": """\
    Keywords, the flags of `mapjudge portals`:

    * map: Map to hold against it
    * path: Robot's path in the coordinate frame of the truth: a trajectory, or a layer of lines
    * origin: Lower left corner: metres, metres, radians
    * occupied_thresh: Occupied above this probability (the file's, else 0.65)
    * free_thresh: Free below this probability (the file's, else 0.196)
    * negate: Bright means occupied
    * treat_205_as_unknown: Grey 205, which map savers write for unknown, is unknown whatever the thresholds
      are
    * ignore_alpha: Do not average an alpha channel in with the colours
    * scale: How `mode: scale` is read: the ratio, or the percent that a ROS server publishes
    * palette: Palette of colour images: auto, off (their mean counts) or a name (auto)
    * palette_tolerance: Maximal difference in a channel at which a pixel still has a colour of the palette
      (the palette's)
    * lenient_colours: Foreign colours in a navigation layer are unknown instead of an error
    * grey_is_uncleared: Grey in a navigation layer means explored and not cleared
    * pixels_per_cell: Pixels along the edge of a map cell in an image of the rescue league
    * pose_columns: What the columns of a pose log are
    * topic: Topic of a bag to read; for transforms, such as /tf:odom.base_link. 'mapjudge info' lists the
      topics
    * fov_deg: Degrees from the first to the last beam, for logs that do not state it (by the number of beams)
    * max_range: Ranges from here on are no returns, for logs that do not state it (from the ranges)
    * usarsim_frame: Axes of poses in messages of USARSim: z down and yaw clockwise, or as in ROS
    * scan_direction: Order of the ranges in scans of USARSim
    * max_bad: Share of broken lines above which a message log is refused (0.01)
    * force: A resolution that is given goes over the one that a file states; without it the two must agree
    * align: How maps come into the coordinate frame of the truth: `georeference` takes the origins of both,
      and searches as `auto` does if one has none; `none` takes origins as read and (0, 0, 0) where absent;
      `fiducials` uses the barrels of layout; `auto` or the name of a method searches; `X,Y,DEG` or
      `X,Y,DEG,SCALE` moves the map by metres, degrees and a factor; anything else is a transform file as
      `mapjudge align` prints it (georeference)
    * accept_ambiguous: Compute scores also under an alignment that is not certain; every value then carries a
      warning
    * window: Which cells are compared (truth)
    * resample: How a map comes onto the cells of the truth (occupied-wins)
    * metrics: Ids and families to compute, with commas; `mapjudge metrics` lists both (all that apply)
    * set: A parameter of a metric; may be repeated
    * robot_radius: Radius of the robot in metres (0.25)
    * start: Where it starts (the widest place of the truth's graph)
    * target: Where it should get to; may be repeated (the nodes of the truth's graph)
    * random_targets: This many random places as targets instead
    * despeckle: Occupied groups of fewer cells count as free (0)
    * thinning: How free space is thinned to lines (distance)
    * prune_min: Dead ends shorter than this are left out of the graph (0)
    * prune_factor: Dead ends shorter than this many times the clearance of their junction are left out (1)
    * snap: How far a start or end that is not traversable may be moved (the radius, at least a cell)
    * seed: Seed of everything random; the same seed gives the same result (1)
    * threads: So many threads for this call alone; 0 is one per core""",
    "relations.check": """\
    Keywords, the flags of `mapjudge relations check`:

    * run: Run that the relations are to judge: warns if they were made from it
    * published: Printed mean, standard deviation and mean square, and the number of samples if known; may be
      given many times
    * gap: A time without a relation is a gap from so many seconds on (10)
    * agree: Displacements further apart than this contradict each other, in metres (0.15)
    * worst: How many of the worst loops, contradictions and gaps are listed (10)
    * pose_columns: What the columns of a pose log are
    * topic: Topic of a bag to read; for transforms, such as /tf:odom.base_link. 'mapjudge info' lists the
      topics
    * fov_deg: Degrees from the first to the last beam, for logs that do not state it (by the number of beams)
    * max_range: Ranges from here on are no returns, for logs that do not state it (from the ranges)
    * usarsim_frame: Axes of poses in messages of USARSim: z down and yaw clockwise, or as in ROS
    * scan_direction: Order of the ranges in scans of USARSim
    * max_bad: Share of broken lines above which a message log is refused (0.01)
    * seed: Seed of everything random; the same seed gives the same result (1)
    * threads: So many threads for this call alone; 0 is one per core""",
    "relations.filter": """\
    Keywords, the flags of `mapjudge relations filter`:

    * force: Replace a file that is there already
    * min_distance: Min. length of the displacement in metres
    * max_distance: Max. length of the displacement in metres
    * min_gap: Min. time between the timestamps in seconds
    * max_gap: Max. time between the timestamps in seconds
    * from_: Both timestamps at or after this one, in seconds
    * to: Both timestamps at or before this one, in seconds
    * tag: With this tag
    * sample: So many of those that are left, at random
    * pose_columns: What the columns of a pose log are
    * topic: Topic of a bag to read; for transforms, such as /tf:odom.base_link. 'mapjudge info' lists the
      topics
    * fov_deg: Degrees from the first to the last beam, for logs that do not state it (by the number of beams)
    * max_range: Ranges from here on are no returns, for logs that do not state it (from the ranges)
    * usarsim_frame: Axes of poses in messages of USARSim: z down and yaw clockwise, or as in ROS
    * scan_direction: Order of the ranges in scans of USARSim
    * max_bad: Share of broken lines above which a message log is refused (0.01)
    * seed: Seed of everything random; the same seed gives the same result (1)
    * threads: So many threads for this call alone; 0 is one per core""",
    "relations.make": """\
    Keywords, the flags of `mapjudge relations make`:

    * force: Replace a file that is there already
    * pairs: Which pairs of poses (consecutive,loops)
    * distance: Distance travelled between the poses of `distance`, in metres (1)
    * count: So many random pairs, instead of the number that the precision asks for
    * precision: Precision of the mean over random pairs, relative to it: n = t^2 sigma^2 / delta^2 (0.05)
    * run: Run whose errors the precision is about; without one it is about the lengths of the displacements
    * project: Project the poses onto a plane first: xy for estimates without heights and tilts
    * step: A keyframe every so many metres; 0 takes every pose (0.5)
    * turn: A keyframe after so large a change of heading, in degrees (30)
    * loop_radius: Visits of one place lie nearer than this, in metres (2)
    * loop_gap: Visits of one place lie at least so many seconds apart (30)
    * loops_per_pose: Relations to earlier visits per keyframe (3)
    * pose_columns: What the columns of a pose log are
    * topic: Topic of a bag to read; for transforms, such as /tf:odom.base_link. 'mapjudge info' lists the
      topics
    * fov_deg: Degrees from the first to the last beam, for logs that do not state it (by the number of beams)
    * max_range: Ranges from here on are no returns, for logs that do not state it (from the ranges)
    * usarsim_frame: Axes of poses in messages of USARSim: z down and yaw clockwise, or as in ROS
    * scan_direction: Order of the ranges in scans of USARSim
    * max_bad: Share of broken lines above which a message log is refused (0.01)
    * seed: Seed of everything random; the same seed gives the same result (1)
    * threads: So many threads for this call alone; 0 is one per core""",
    "rooms": """\
    Keywords, the flags of `mapjudge rooms`:

    * method: How rooms are told apart; `auto` takes the method that suits the map, by its doors, furniture
      and clutter
    * theta: Wall points whose views share at least this much are one room, 0 to 1; higher makes more rooms
      (0.2)
    * spacing: Distance of the wall points along the walls, in metres (0.25)
    * linkage: How clusters of wall points are compared: by the mean of their pairs or by the most similar
      pair
    * smoothing: Niches and holes that no disc of this radius enters are wall, in metres; 0 takes walls as
      drawn (0.1)
    * reference: A map of equal size in which the doors are closed: each connected free part is a room to be
      found
    * origin: Lower left corner: metres, metres, radians
    * occupied_thresh: Occupied above this probability (the file's, else 0.65)
    * free_thresh: Free below this probability (the file's, else 0.196)
    * negate: Bright means occupied
    * treat_205_as_unknown: Grey 205, which map savers write for unknown, is unknown whatever the thresholds
      are
    * ignore_alpha: Do not average an alpha channel in with the colours
    * scale: How `mode: scale` is read: the ratio, or the percent that a ROS server publishes
    * palette: Palette of colour images: auto, off (their mean counts) or a name (auto)
    * palette_tolerance: Maximal difference in a channel at which a pixel still has a colour of the palette
      (the palette's)
    * lenient_colours: Foreign colours in a navigation layer are unknown instead of an error
    * grey_is_uncleared: Grey in a navigation layer means explored and not cleared
    * pixels_per_cell: Pixels along the edge of a map cell in an image of the rescue league
    * topic: Topic of a bag to read; for transforms, such as /tf:odom.base_link. 'mapjudge info' lists the
      topics
    * force: A resolution that is given goes over the one that a file states; without it the two must agree
    * overwrite: Replace files of the folder that are there already
    * labels: Write the room numbers as 16-bit grey values; 0 is no room
    * out: Also write figure, vector layers, labels and list into this folder
    * seed: Seed of everything random; the same seed gives the same result (1)
    * threads: So many threads for this call alone; 0 is one per core""",
    "rpe": """\
    Keywords, the flags of `mapjudge traj`:

    * truth_topic: Topic of the truth, if it is a bag (that of topic)
    * relations: True displacements: rows of t1 t2 x y z roll pitch yaw
    * regions: Where the robot was when: rows of from_s,to_s,region[,ground]
    * odometry: Odometry of the run, for associate filled
    * map: A map to draw the paths on
    * job: TOML file with the same choices as these flags; `mapjudge help job` describes it
    * pose_columns: What the columns of a pose log are
    * topic: Topic of a bag to read; for transforms, such as /tf:odom.base_link. 'mapjudge info' lists the
      topics
    * fov_deg: Degrees from the first to the last beam, for logs that do not state it (by the number of beams)
    * max_range: Ranges from here on are no returns, for logs that do not state it (from the ranges)
    * usarsim_frame: Axes of poses in messages of USARSim: z down and yaw clockwise, or as in ROS
    * scan_direction: Order of the ranges in scans of USARSim
    * max_bad: Share of broken lines above which a message log is refused (0.01)
    * records: Records of a log whose poses are taken: odom, flaser, rlaser, robotlaser, truepos (scans)
    * skip_bad: Leave out up to so many faulty rows instead of stopping at the first (0)
    * associate: How a pose is looked up by its timestamp (nearest; index where a file has no times)
    * max_dt: Max. time difference of `nearest` (0.05)
    * max_gap: Max. gap that is interpolated, and that counts as covered (1)
    * fill: How `filled` fills: the odometry since the last pose, or with the correction spread (chain)
    * time_offset: Added to the times of the estimates (0)
    * estimate_offset: Estimate the offset between the clocks, within so many seconds, from how the runs move
    * t_start: Leave out the truth before this timestamp
    * t_end: Leave out the truth behind this timestamp
    * downsample: Take at most so many poses of each trajectory, evenly spaced
    * motion_filter: Take a pose when the robot has moved so far, or turned so far, since the last one taken
    * project: Compare poses in a plane, after the fit
    * align: What the fit of an estimate to the truth may move, for ATE (auto)
    * align_first: Fit with the first poses only
    * weight: What an error counts for, for ATE (pose)
    * pairs: Which pairs are taken, for RPE (consecutive)
    * relation_error: Which product is the error of a relation (left)
    * order: In which direction a relation is read (forward)
    * relation_time: When the error of a relation is drawn and clustered: at its second time or in the middle
      (end)
    * metrics: Ids and families to compute, with commas; `mapjudge metrics` lists both (all that apply)
    * set: A parameter of a metric; may be repeated
    * min_coverage: Coverage below which a run is listed but not ranked, 0 to 1 (0.8)
    * rank_by: The metric that ranks (ate_translation, without a truth relative_displacement)
    * resamples: Resamples of the bootstrap behind intervals and tests (1000)
    * limits: File of rules such as `overall_error <= 5000` or `ate_translation <= 0.05`; one missed makes the
      exit code 1
    * baseline: Earlier JSON report; a value that got worse makes the exit code 1
    * baseline_tolerance: Relative change that still counts as the same (1e-9)
    * digits: Digits after the point in md and latex (five significant digits)
    * unit: Units of lengths and angles in md and latex, with commas (m,deg)
    * transpose: Swap rows and columns in md and latex
    * name: Show a run or map under another name; may be repeated
    * overwrite: Replace files of the folder that are there already
    * out: Also write report.json, report.html, errors.csv and the figures (SVG and PDF) into this folder
    * seed: Seed of everything random; the same seed gives the same result (1)
    * threads: So many threads for this call alone; 0 is one per core""",
    "score": """\
    Further keywords, the keys of a job file:

    * layout: Where the fiducials stand, in the coordinate frame of the truth
    * annotations: Vector layers, detection lists and the robot's path that belong to the map; only with a
      single map
    * map_annotations: The same for several maps: a list for each, in their order
    * truth_annotations: The same of the truth
    * transform: A transform file, as `mapjudge align` writes it; goes over `align`
    * trajectories: The trajectories, one case each
    * truth_trajectory: The true trajectory
    * truth_topic: Topic of the true trajectory, if it is a bag; none: that of the estimates
    * relations: True displacements
    * odometry: Odometry of the run, for `associate = 'filled'`
    * background: A map to draw trajectories on
    * records: Kinds of log records whose poses are taken: `odom`, `flaser`, `rlaser`, `robotlaser`,
      `truepos`; empty: scans
    * skip_bad: Faulty rows of trajectories that may be left out
    * points: Labelled points, one case each
    * truth_points: Where the labelled points are
    * floors: Floors of a place, each with its truth; `{floor}` in the paths of maps stands for their names
    * connectors: Stairs, ramps and lifts between floors
    * map_resolution_m: Edge of a cell of the maps, in metres
    * truth_resolution_m: Edge of a cell of the truth, in metres
    * map_origin: Pose of the lower-left corner of the maps: x, y in metres, yaw in radians
    * truth_origin: The same of the truth
    * force: Resolutions given here go over those that files state
    * transform: A transform that is known already; it goes over `align`
    * aligning: Parameters of the methods that search a transform
    * aligning.scale_min: Least scale of the map
    * aligning.scale_max: Largest scale
    * aligning.tol_m: Distance in metres at which a wall counts as missed; 0.3, or 1.5 % of the truth's
      diagonal if a scale is searched
    * aligning.accept_ambiguous: Compute scores under an alignment that is not certain; every value then
      carries a warning
    * fiducials: How barrels of the map are assigned to the layout
    * fiducials.objective: What the best assignment is
    * fiducials.d_max_m: Largest distance of a pair in metres
    * fiducials.displaced: What becomes of a part that lies further than `d_max_m` from its place
    * fiducials.reach_m: How far from its place a displaced part is looked for, in metres
    * fiducials.seed: Seed of the sample of hypotheses, should there be too many to try
    * paths: The robot of the path family; without it the family is computed only if it is asked for
    * matching: How poses are matched in time
    * matching.associate: How a pose is looked up by its timestamp; none: nearest, or by index where a file
      has no times
    * matching.max_dt_s: Max. time difference of `nearest`, seconds
    * matching.max_gap_s: Max. gap that is interpolated or counts as covered, seconds
    * matching.fill: How `filled` fills
    * matching.time_offset_s: Added to the times of the estimates, seconds
    * matching.estimate_offset_s: Estimate the offset between the clocks within so many seconds
    * matching.min_coverage: Coverage below which a run is listed but not ranked, 0 to 1
    * poses: Which poses of trajectories are compared
    * poses.downsample: At most so many poses of each trajectory, evenly spaced by their number
    * poses.motion_filter: Metres of path and degrees of rotation; a pose is kept when either was reached
      since the last kept one
    * poses.t_start_s: Truth before this timestamp is left out, seconds
    * poses.t_end_s: Truth behind this timestamp is left out, seconds
    * poses.project: Poses are compared in this plane, after the fit
    * ranking: How several runs are ranked
    * ranking.rank_by: The metric that ranks; none: position error where there is a true trajectory, else
      displacement error
    * ranking.resamples: Resamples of the bootstrap
    * ranking.seed: Seed of the bootstrap
    * profile: Name of the rules, as the report states it; empty for none
    * read: How map files are read
    * read.resolution_m: Edge of a cell in metres, for files that state none
    * read.origin: Lower left corner: metres, metres, radians
    * read.occupied_thresh: Occupied above this probability (the file's, else 0.65)
    * read.free_thresh: Free below this probability (the file's, else 0.196)
    * read.negate: Bright means occupied
    * read.treat_205_as_unknown: Grey 205, which map savers write for unknown, is unknown whatever the
      thresholds are
    * read.ignore_alpha: Do not average an alpha channel in with the colours
    * read.scale: How `mode: scale` is read: the ratio, or the percent that a ROS server publishes
    * read.palette: Palette of colour images: auto, off (their mean counts) or a name (auto)
    * read.palette_tolerance: Maximal difference in a channel at which a pixel still has a colour of the
      palette (the palette's)
    * read.lenient_colours: Foreign colours in a navigation layer are unknown instead of an error
    * read.grey_is_uncleared: Grey in a navigation layer means explored and not cleared
    * read.pixels_per_cell: Pixels along the edge of a map cell in an image of the rescue league
    * read.pose_columns: What the columns of a pose log are
    * read.topic: Topic of a bag to read; for transforms, such as /tf:odom.base_link. 'mapjudge info' lists
      the topics
    * read.fov_deg: Degrees from the first to the last beam, for logs that do not state it (by the number of
      beams)
    * read.max_range_m: Ranges from here on are no returns, for logs that do not state it (from the ranges)
    * read.usarsim_frame: Axes of poses in messages of USARSim: z down and yaw clockwise, or as in ROS
    * read.scan_direction: Order of the ranges in scans of USARSim
    * read.max_bad_share: Share of broken lines above which a message log is refused (0.01)
    * limits: A file of rules that values must keep
    * baseline: An earlier JSON report that values must not be worse than
    * baseline_tolerance: Relative change that still counts as the same; none: 1e-9""",
    "simulate": """\
    Keywords, the flags of `mapjudge simulate`:

    * drive: Who drives: explore, or waypoints:FILE
    * localize: By which pose a robot explores: its true one, or that of a mapper
    * overwrite: Replace files of the folder that are there already
    * snapshot_every: Write what the robot knows after each S seconds of its time: live.png, snapshots.csv and
      maps in snapshots/
    * serve: Serve USARSim clients at this port instead, a robot for each; 0 takes a free one, which is
      printed
    * host: Address to listen at
    * speed: How much faster than real time the robots live
    * laser: Scanner
    * upright: A second scanner of the same kind that looks up and down
    * sonar: A ring of sixteen sonar transducers too
    * levelled: Keep the scanner level with an accelerometer and two servos
    * exact_odometry: Odometry without fault, wheels that neither skid nor slip
    * max_time: End of the run at the latest, seconds (1200, the contest's 20 minutes)
    * seed: Seed of everything random; the same seed gives the same result (1)
    * threads: So many threads for this call alone; 0 is one per core""",
    "traj": """\
    Keywords, the flags of `mapjudge traj`:

    * truth_topic: Topic of the truth, if it is a bag (that of topic)
    * regions: Where the robot was when: rows of from_s,to_s,region[,ground]
    * odometry: Odometry of the run, for associate filled
    * map: A map to draw the paths on
    * job: TOML file with the same choices as these flags; `mapjudge help job` describes it
    * pose_columns: What the columns of a pose log are
    * topic: Topic of a bag to read; for transforms, such as /tf:odom.base_link. 'mapjudge info' lists the
      topics
    * fov_deg: Degrees from the first to the last beam, for logs that do not state it (by the number of beams)
    * max_range: Ranges from here on are no returns, for logs that do not state it (from the ranges)
    * usarsim_frame: Axes of poses in messages of USARSim: z down and yaw clockwise, or as in ROS
    * scan_direction: Order of the ranges in scans of USARSim
    * max_bad: Share of broken lines above which a message log is refused (0.01)
    * records: Records of a log whose poses are taken: odom, flaser, rlaser, robotlaser, truepos (scans)
    * skip_bad: Leave out up to so many faulty rows instead of stopping at the first (0)
    * associate: How a pose is looked up by its timestamp (nearest; index where a file has no times)
    * max_dt: Max. time difference of `nearest` (0.05)
    * max_gap: Max. gap that is interpolated, and that counts as covered (1)
    * fill: How `filled` fills: the odometry since the last pose, or with the correction spread (chain)
    * time_offset: Added to the times of the estimates (0)
    * estimate_offset: Estimate the offset between the clocks, within so many seconds, from how the runs move
    * t_start: Leave out the truth before this timestamp
    * t_end: Leave out the truth behind this timestamp
    * downsample: Take at most so many poses of each trajectory, evenly spaced
    * motion_filter: Take a pose when the robot has moved so far, or turned so far, since the last one taken
    * project: Compare poses in a plane, after the fit
    * align: What the fit of an estimate to the truth may move, for ATE (auto)
    * align_first: Fit with the first poses only
    * weight: What an error counts for, for ATE (pose)
    * delta: How far apart the poses of a pair are, for RPE (1f)
    * pairs: Which pairs are taken, for RPE (consecutive)
    * relation_error: Which product is the error of a relation (left)
    * order: In which direction a relation is read (forward)
    * relation_time: When the error of a relation is drawn and clustered: at its second time or in the middle
      (end)
    * metrics: Ids and families to compute, with commas; `mapjudge metrics` lists both (all that apply)
    * set: A parameter of a metric; may be repeated
    * min_coverage: Coverage below which a run is listed but not ranked, 0 to 1 (0.8)
    * rank_by: The metric that ranks (ate_translation, without a truth relative_displacement)
    * resamples: Resamples of the bootstrap behind intervals and tests (1000)
    * limits: File of rules such as `overall_error <= 5000` or `ate_translation <= 0.05`; one missed makes the
      exit code 1
    * baseline: Earlier JSON report; a value that got worse makes the exit code 1
    * baseline_tolerance: Relative change that still counts as the same (1e-9)
    * digits: Digits after the point in md and latex (five significant digits)
    * unit: Units of lengths and angles in md and latex, with commas (m,deg)
    * transpose: Swap rows and columns in md and latex
    * name: Show a run or map under another name; may be repeated
    * overwrite: Replace files of the folder that are there already
    * out: Also write report.json, report.html, errors.csv and the figures (SVG and PDF) into this folder
    * seed: Seed of everything random; the same seed gives the same result (1)
    * threads: So many threads for this call alone; 0 is one per core""",
}
