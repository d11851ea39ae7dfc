//! A plan as text, for `arena random` and for an editor.

use std::fmt::Write;

use super::plan::{BarrelKind, BarrelPlan, MarkPlan, Plan};

impl Plan {
    /// The plan as TOML that [`Plan::read`] gives back; settings that have their default are left out.
    #[must_use]
    pub fn to_text(&self) -> String {
        let default = Self::default();
        let mut text = format!("name = {}\n", quoted(&self.name));
        let numbers = [
            ("pallet_m", self.pallet_m, default.pallet_m),
            ("wall_height_m", self.wall_height_m, default.wall_height_m),
            ("wall_thickness_m", self.wall_thickness_m, default.wall_thickness_m),
            ("ramp_deg", self.ramp_deg, default.ramp_deg),
            ("steep_ramp_deg", self.steep_ramp_deg, default.steep_ramp_deg),
            ("step_m", self.step_m, default.step_m),
            ("tunnel_m", self.tunnel_m, default.tunnel_m),
            ("opening_m", self.opening_m, default.opening_m),
            ("cell_size_m", self.cell_size_m, default.cell_size_m),
            ("margin_m", self.margin_m, default.margin_m),
        ];
        for (name, value, _) in numbers.into_iter().filter(|(_, value, usual)| value != usual) {
            let _ = writeln!(text, "{name} = {value:?}");
        }
        if self.slice_heights_m != default.slice_heights_m {
            let _ = writeln!(text, "slice_heights_m = {:?}", self.slice_heights_m);
        }
        if let Some([width_m, height_m]) = self.size_m {
            let _ = writeln!(text, "size_m = [{width_m:?}, {height_m:?}]");
        }
        if !self.drawing.trim().is_empty() {
            let _ = writeln!(text, "drawing = '''\n{}'''", self.drawing);
        }
        self.write_tables(&mut text);
        text
    }

    fn write_tables(&self, text: &mut String) {
        if let Some(start) = self.start {
            text.push_str("\n[start]\n");
            if let Some([x_m, y_m]) = start.at_m {
                let _ = writeln!(text, "at_m = [{x_m:?}, {y_m:?}]");
            }
            let _ = writeln!(text, "heading_deg = {:?}", start.heading_deg);
        }
        for wall in &self.walls {
            let ([x0, y0], [x1, y1]) = (wall.from_m, wall.to_m);
            let _ = write!(text, "\n[[wall]]\nfrom_m = [{x0:?}, {y0:?}]\nto_m = [{x1:?}, {y1:?}]\n");
            wall.height_m.into_iter().for_each(|m| text.push_str(&format!("height_m = {m:?}\n")));
        }
        self.barrels.iter().for_each(|barrel| write_barrel(text, barrel));
        for (table, marks) in [("victim", &self.victims), ("hazard", &self.hazards), ("label", &self.labels)]
        {
            marks.iter().for_each(|mark| write_mark(text, table, mark));
        }
    }
}

fn write_barrel(text: &mut String, barrel: &BarrelPlan) {
    let kind = match barrel.kind {
        BarrelKind::Quarter => "quarter",
        BarrelKind::Half => "half",
        BarrelKind::ThreeQuarter => "three_quarter",
        BarrelKind::Whole => "whole",
        BarrelKind::Split => "split",
        BarrelKind::Percent => "percent",
    };
    text.push_str("\n[[barrel]]\n");
    barrel.name.iter().for_each(|name| text.push_str(&format!("name = {}\n", quoted(name))));
    let [x_m, y_m] = barrel.at_m;
    let BarrelPlan { facing_deg, radius_m, height_m, length_m, .. } = barrel;
    let _ = writeln!(text, "at_m = [{x_m:?}, {y_m:?}]\nkind = \"{kind}\"\nfacing_deg = {facing_deg:?}");
    if barrel.kind == BarrelKind::Percent {
        let _ = writeln!(text, "visible_percent = {:?}", barrel.visible_percent);
    }
    let _ = writeln!(text, "radius_m = {radius_m:?}\nheight_m = {height_m:?}\nlength_m = {length_m:?}");
    let _ = writeln!(text, "range = {}", quoted(&barrel.range));
}

fn write_mark(text: &mut String, table: &str, mark: &MarkPlan) {
    let _ = writeln!(text, "\n[[{table}]]");
    mark.name.iter().for_each(|name| text.push_str(&format!("name = {}\n", quoted(name))));
    let [x_m, y_m] = mark.at_m;
    let _ = writeln!(text, "at_m = [{x_m:?}, {y_m:?}]\nheight_m = {:?}", mark.height_m);
}

/// A text as TOML.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use crate::arena::{BarrelKind, BarrelPlan, MarkPlan, Plan, StartPlan, WallPlan};

    #[test]
    fn the_text_of_a_plan_gives_it_back() {
        let plan = Plan {
            name: "an \"odd\"\nname".to_owned(),
            pallet_m: 1.22,
            slice_heights_m: vec![1.0, 2.0],
            drawing: "+---+\n| S |\n+---+\n".to_owned(),
            start: Some(StartPlan { at_m: None, heading_deg: 90.0 }),
            walls: vec![WallPlan { from_m: [0.1, 0.2], to_m: [1.0, 1e-7], height_m: Some(0.5) }],
            tunnel_m: 0.6,
            barrels: vec![
                BarrelPlan { kind: BarrelKind::ThreeQuarter, ..BarrelPlan::at(1.0, 0.3) },
                BarrelPlan { kind: BarrelKind::Percent, visible_percent: 80.0, ..BarrelPlan::at(1.0, 0.3) },
            ],
            victims: vec![MarkPlan::new(Some("doll 'A'".to_owned()), 0.4, 0.5)],
            labels: vec![MarkPlan::new(None, 0.4, 0.6)],
            ..Plan::default()
        };
        assert_eq!(Plan::read(&plan.to_text()).unwrap(), plan);
    }
}
