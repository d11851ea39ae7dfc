//! Small valid and hostile vector layers and league files.

use mapjudge_formats::{write_geojson, write_layout_csv, write_layout_toml, write_mif};
use model::{
    Attribute, Column, ColumnType, Feature, FiducialLayout, FiducialPart, Point2, Shape, VectorLayer,
};

use crate::Files;

/// Seeds by fuzz selector; for `mif` the MIF, a zero byte and the MID.
pub fn seeds() -> Vec<(&'static str, Files)> {
    let named = [
        ("mif", mif()),
        ("geojson", geojson()),
        ("detection_csv", detection_csv()),
        ("point_list", point_list()),
        ("fiducial_layout", fiducial_layout()),
    ];
    let bytes = |(name, text): (&'static str, String)| (name, text.into_bytes());
    named.into_iter().map(|(target, texts)| (target, texts.into_iter().map(bytes).collect())).collect()
}

type Texts = Vec<(&'static str, String)>;

/// A layer with one feature of each shape and one column of each type.
pub fn layer() -> VectorLayer {
    let kinds = [
        ("ID", ColumnType::Text { width: 16 }),
        ("N", ColumnType::Integer),
        ("R", ColumnType::Real),
        ("L", ColumnType::Logical),
    ];
    let columns = kinds.map(|(name, kind)| Column { name: name.to_owned(), kind }).to_vec();
    let points =
        |numbers: &[f64]| numbers.chunks(2).map(|pair| Point2::new(pair[0], pair[1])).collect::<Vec<_>>();
    let outer = points(&[0.0, 0.0, 9.0, 0.0, 9.0, 9.0, 0.0, 9.0, 0.0, 0.0]);
    let hole = points(&[1.0, 1.0, 2.0, 1.0, 2.0, 2.0, 1.0, 2.0, 1.0, 1.0]);
    let shapes = [
        Shape::Point(Point2::new(12.5, -3.25)),
        Shape::Lines(vec![points(&[0.0, 0.0, 1.5, 1.0])]),
        Shape::Lines(vec![points(&[0.0, 0.0, 1.0, 1.0]), points(&[5.0, 5.0, 6.0, 6.0, 7.0, 5.0])]),
        Shape::Area(vec![outer, hole]),
        Shape::None,
        Shape::MultiPoint(points(&[1.0, 1.0, 2.0, 2.0])),
        Shape::Text { place: Point2::new(1.0, 2.0), text: "exit".to_owned() },
    ];
    let feature = |(index, shape)| Feature {
        shape,
        attributes: vec![
            Attribute::Text(format!("v, \"{index}\"")),
            Attribute::Integer(index as i64 - 3),
            Attribute::Real(index as f64 + 0.25),
            Attribute::Logical(index % 2 == 0),
        ],
        style: if index == 0 { vec!["Symbol (35,16711680,12)".to_owned()] } else { Vec::new() },
    };
    let features = shapes.into_iter().enumerate().map(feature).collect();
    VectorLayer { name: "victims".to_owned(), columns, features }
}

fn mif() -> Texts {
    let pair = write_mif(&layer()).unwrap();
    let header = "Version 300\nDelimiter \",\"\nColumns 1\nA Char(9)\nData\n";
    let one = |objects: &str| format!("{header}{objects}\n\0\"a\"\n");
    vec![
        ("written", format!("{}\0{}", pair.mif, pair.mid)),
        ("worldgen", "Version 450\nCharset \"Neutral\"\nDelimiter \",\"\nIndex 1\nColumns 2\nDescription char(254)\n\
            Name char(254)\nData\n\nRegion 1\n4\n0.000, 0.000\n4.000, 0.000\n4.000, 2.500\n0.000, 2.500\n\
            Brush (2, 65280)\n\nPoint 1.250, -0.500\nSymbol(34, 1, 4)\n\0\"Room\", \"CSG\"\n\"PathNode\", \"P1\"\n".to_owned()),
        ("curves", format!("{header}Ellipse 0 0 4 2\nArc 0 0 2 2\n 90 180\nRoundrect 0 0 10 4\n 2\nRect 1 1 2 2\n\0a\nb\nc\n\"d\"\n")),
        ("transform", "Version 300\nCoordSys NonEarth Units \"cm\"\nTransform 2,0,10,20\nColumns 0\nData\nLine 1 2 3 4\n".to_owned()),
        ("tab", "Version 300\nColumns 2\nA Integer\nB Logical\nData\nNone\nNone\n\x001\tT\n\tF\n".to_owned()),
        ("unknown", one("Blob 2\n1 2\n3 4\nPoint 1 2\n")),
        ("bad_degrees", "Version 300\nCoordSys Earth Projection 1, 0\nColumns 0\nData\n".to_owned()),
        ("bad_nan", one("Point NaN 1")),
        ("bad_claim", one("Pline 99999999999999999\n1 1")),
        ("bad_sections", one("Pline Multiple 18446744073709551615\n1\n1 1")),
        ("bad_columns", "Version 300\nColumns 4000000000\nA float\nData\n".to_owned()),
        ("bad_rows", one("Point 1 1\nPoint 2 2")),
        ("bad_quote", format!("{header}Point 1 1\n\0\"a\n")),
        ("bad_overflow", "Version 300\nTransform 1e300,1,0,0\nColumns 0\nData\nPoint 1e300 0\n".to_owned()),
    ]
}

fn geojson() -> Texts {
    let feature = |geometry: &str| {
        format!("{{\"type\":\"Feature\",\"geometry\":{geometry},\"properties\":{{\"a\":1}}}}")
    };
    vec![
        ("written", write_geojson(&layer()).unwrap()),
        ("collection", "{\"type\":\"GeometryCollection\",\"geometries\":[{\"type\":\"Point\",\"coordinates\":[1,2,3]},\
            {\"type\":\"MultiPolygon\",\"coordinates\":[[[[0,0],[4,0],[4,4]]]]}]}".to_owned()),
        ("mixed", "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"id\":1,\"geometry\":null,\
            \"properties\":{\"a\":1,\"b\":[1,{}]}},{\"type\":\"Feature\",\"geometry\":null,\"properties\":{\"a\":\"x\"}}]}".to_owned()),
        ("degrees", feature("{\"type\":\"LineString\",\"coordinates\":[[8.6521,49.8772],[8.6523,49.8771]]}")),
        ("bad_nan", feature("{\"type\":\"Point\",\"coordinates\":[NaN,1]}")),
        ("bad_range", feature("{\"type\":\"Point\",\"coordinates\":[1e999,1]}")),
        ("bad_deep", feature(&format!("{{\"type\":\"Point\",\"coordinates\":{}", "[".repeat(2000)))),
        ("bad_position", feature("{\"type\":\"Point\",\"coordinates\":[1]}")),
        ("bad_columns", "{\"type\":\"FeatureCollection\",\"features\":[],\"mapjudge\":{\"columns\":[{\"name\":1}]}}".to_owned()),
    ]
}

fn detection_csv() -> Texts {
    let good = "\"pois\"\n\"1.2\"\n\"Team\"\n\"Country\"\n\"2024-07-19\"\n\"14:30:05\"\n\"Prelim1\"\n\n\
        id,time,text,x,y,z,robot,mode,type\n1,14:32:10,\"AB, 12\",1.25,-0.5,0.3,\"r1\",A,qr\n";
    vec![
        ("good", good.to_owned()),
        (
            "victims",
            "\"victims\"\n\"1.0\"\n\"T\"\n\"C\"\n\"2012-06-20\"\n\"10:00:00\"\n\"F\"\n\nid,time,name,x,y,z\n\
            1,10:01:00,\"v_0\",1,2,0.5\n"
                .to_owned(),
        ),
        (
            "spreadsheet",
            "pois,,,,,,,,\n1.2,,,,,,,,\n7/19/2024,,,,,,,,\nid,time,text,x-coord,y-coord,z,robot,mode,type\n\
            0,2 pm,AB,1,2,3,'r1',auto,banana\n0,2 pm,AB,1,2,3,'r1',A,qr,,,\n,,,,,,,,\n"
                .to_owned(),
        ),
        ("semicolons", good.replace("AB, 12", "AB").replace("Team", "T;m").replace(',', ";")),
        ("columns_only", "id,x,y\n1,2,3\n".to_owned()),
        ("bad_number", good.replace("1.25", "1,25")),
        ("bad_nan", good.replace("1.25", "NaN")),
        ("bad_quote", good.replace("12\"", "12")),
        ("bad_columns", good.replace("id,", "nr,")),
    ]
}

fn point_list() -> Texts {
    let texts = [
        ("good", "Labyrinth 1m\nhazmat 3,12.5,-3.25\nqr A,4,9\n"),
        ("repeated", "map\r\na,1,2\r\n\r\na,3,4"),
        ("quoted", "\"a,1,2\"\n\"\"\"b\"\"\",0,1\n"),
        ("byte_order_marks", "\u{feff}\u{feff}map\n\u{feff}a,1,2\n"),
        ("no_label", "a,1,2\n"),
        ("label_only", "map\n"),
        ("bad_number", "map\na,1,x\n"),
        ("bad_nan", "map\na,NaN,1\n"),
        ("bad_quote", "map\n\"a,1,2\n"),
        ("bad_fields", "map\na,1\n"),
    ];
    texts.map(|(name, text)| (name, text.to_owned())).to_vec()
}

fn fiducial_layout() -> Texts {
    let part = |part: &str, direction_rad: f64| FiducialPart {
        kind: model::PartKind::Barrel,
        fiducial: "F1".to_owned(),
        part: part.to_owned(),
        center: Point2::new(1.2, 1.0),
        radius_m: 0.3,
        opening_rad: std::f64::consts::PI,
        direction_rad,
        height_m: 1.0,
        range: "short".to_owned(),
    };
    let parts = vec![part("F1A", 0.0), part("F1B", 3.0)];
    let layout = FiducialLayout {
        parts,
        pair_distances_m: vec![("F1".to_owned(), 0.05)],
        ..FiducialLayout::default()
    };
    let toml = write_layout_toml(&layout).unwrap();
    let csv = write_layout_csv(&layout).unwrap();
    vec![
        ("toml", toml.clone()),
        ("csv", csv.clone()),
        ("specification", "id, fiducial, part, x, y, radius, phi0, opening, range, pair_distance\n\
            F1A,F1,A,1.2,1.0,0.30,-90,180,short,0.05\n".to_owned()),
        ("whole", "[[part]]\nfiducial = \"W\"\npart = \"W\"\nx_m = 1\ny_m = 2\nradius_m = 0.15\nopening_deg = 360\n".to_owned()),
        ("odd", toml.replace("\"short\"", "\"near\"").replace("height_m", "height")),
        ("bad_twice", toml.replace("F1B", "F1A")),
        ("bad_nan", toml.replace("radius_m = 0.3", "radius_m = nan")),
        ("bad_deep", format!("[[part]]\nx = {}", "[".repeat(5000))),
        ("bad_number", csv.replace("0.3", "x")),
        ("bad_empty", "fiducial,part,radius_m\n".to_owned()),
    ]
}
