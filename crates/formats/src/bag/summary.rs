//! What a bag holds, without its messages.

/// One topic of a bag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BagTopic {
    /// Name, such as `/scan`.
    pub name: String,
    /// Type of the messages as the bag writes it: `sensor_msgs/LaserScan` or `sensor_msgs/msg/LaserScan`.
    pub type_name: String,
    pub messages: u64,
}

impl BagTopic {
    /// Whether its messages are laser scans, and it has some.
    #[must_use]
    pub fn has_scans(&self) -> bool {
        self.holds(&["sensor_msgs/LaserScan"])
    }

    /// Whether its messages are readings of odometry, and it has some.
    #[must_use]
    pub fn has_odometry(&self) -> bool {
        self.holds(&["nav_msgs/Odometry"])
    }

    /// Whether its messages are transforms between frames, and it has some.
    #[must_use]
    pub fn has_transforms(&self) -> bool {
        self.holds(&["tf2_msgs/TFMessage", "tf/tfMessage"])
    }

    fn holds(&self, types: &[&str]) -> bool {
        self.messages > 0 && types.contains(&self.type_name.replacen("/msg/", "/", 1).as_str())
    }
}

/// Topics and time range of a bag.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BagSummary {
    /// Topics sorted by name, then type; also those without a message.
    pub topics: Vec<BagTopic>,
    /// When the first and the last message were recorded, nanoseconds; none in a bag without messages.
    pub time_range_ns: Option<(i64, i64)>,
}

impl BagSummary {
    /// Number of messages of all topics.
    #[must_use]
    pub fn messages(&self) -> u64 {
        self.topics.iter().map(|topic| topic.messages).sum()
    }

    /// When the first and the last message were recorded, seconds.
    #[must_use]
    pub fn time_range_s(&self) -> Option<(f64, f64)> {
        self.time_range_ns.map(|(first_ns, last_ns)| (first_ns as f64 / 1e9, last_ns as f64 / 1e9))
    }

    /// The name of the topic that holds maps, if there is one with messages and no other.
    pub(crate) fn only_map(&self) -> Option<&str> {
        let is_map = |topic: &&BagTopic| topic.holds(&["nav_msgs/OccupancyGrid"]);
        let mut maps = self.topics.iter().filter(is_map);
        maps.next().filter(|_| maps.next().is_none()).map(|topic| topic.name.as_str())
    }

    /// The first topic of this name.
    #[must_use]
    pub fn topic(&self, name: &str) -> Option<&BagTopic> {
        self.topics.iter().find(|topic| topic.name == name)
    }
}
